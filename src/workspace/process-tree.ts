// Everything that a command started: its process group, and on Linux what moved to other groups and sessions.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasVariable, processEntry, type ProcessEntry, processTable, ticksNow } from './process-table.ts'

/** A variable that all processes of one command inherit; it finds those that have cut every other tie. */
const MARKER = 'SHELL_COMMAND_ID'

export interface ProcessTree {
  /** What the command's environment needs. */
  readonly environment: Readonly<Record<string, string>>
  /** The group's id, once the command is started. */
  adopt(leader: number): void
  /**
   * SIGTERM to all, SIGKILL to what is left after `graceMs`; a later call may shorten that. Settles when nothing is left
   * or when the kills have been sent, with the number of processes that were there. Never rejects.
   */
  end(graceMs: number): Promise<number>
  /** Waits until nothing is left, at most so long. */
  settle(waitMs: number): Promise<void>
}

const POLL_MS = 20
/** How often what a dying process started is looked for. */
const LAST_LOOKS = 10

export function createProcessTree(): ProcessTree {
  const id = randomUUID()
  const since = ticksNow()
  let leader: number | undefined
  let deadline = Number.POSITIVE_INFINITY
  let ending: Promise<number> | undefined
  const living = (): ProcessEntry[] =>
    leader === undefined ? [] : family(leader, { since, entry: `${MARKER}=${id}` })
  const run = async (group: number): Promise<number> => {
    if (!isThere(group, living)) return 0
    const first = living()
    signal(group, first, 'SIGTERM')
    while (performance.now() < deadline && isThere(group, living)) await sleep(POLL_MS)
    for (let look = 0; look < LAST_LOOKS && isThere(group, living); look += 1) {
      signal(group, living(), 'SIGKILL')
      await sleep(POLL_MS)
    }
    return Math.max(1, first.length)
  }
  return {
    environment: { [MARKER]: id },
    adopt(pid) {
      leader = pid
    },
    async end(graceMs) {
      if (leader === undefined) return 0
      deadline = Math.min(deadline, performance.now() + graceMs)
      if (process.platform === 'win32') return endWindowsTree(leader)
      ending ??= run(leader)
      return ending
    },
    async settle(waitMs) {
      const until = performance.now() + waitMs
      while (leader !== undefined && performance.now() < until && isThere(leader, living))
        await sleep(POLL_MS)
    },
  }
}

/** Whether something of the group, or of the family where the system shows it, still runs. */
function isThere(group: number, living: () => ProcessEntry[]): boolean {
  if (process.platform === 'linux') return living().length > 0
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

function signal(group: number, members: readonly ProcessEntry[], name: NodeJS.Signals): void {
  const strays = members.filter((member) => member.group !== group && isSame(member))
  for (const target of [-group, ...strays.map(({ pid }) => pid)]) {
    try {
      process.kill(target, name)
    } catch {
      // Already gone.
    }
  }
}

/** A reused id is never signalled. */
function isSame({ pid, started }: ProcessEntry): boolean {
  return processEntry(pid)?.started === started
}

/** The group, its descendants, and whoever carries the mark. */
function family(leader: number, { since, entry }: { since: number; entry: string }): ProcessEntry[] {
  const recent = processTable().filter(({ started, zombie }) => started >= since && !zombie)
  const known = new Set(
    recent.filter(({ pid, group }) => group === leader || hasVariable(pid, entry)).map(({ pid }) => pid),
  )
  for (let grown = true; grown;) {
    grown = false
    for (const { pid, parent } of recent) {
      if (known.has(pid) || !known.has(parent)) continue
      known.add(pid)
      grown = true
    }
  }
  return recent.filter(({ pid }) => known.has(pid))
}

async function endWindowsTree(leader: number): Promise<number> {
  const { execa } = await import('execa')
  await execa('taskkill', ['/T', '/F', '/PID', String(leader)], { reject: false, stdio: 'ignore' })
  return 1
}
