// Ending everything that a command started: its process group, and on Linux what moved to other sessions.
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 25

/**
 * SIGTERM to all, SIGKILL to what is left after `graceMs`. `leader` is the group's id. Settles when nothing is
 * left or SIGKILL has been sent; never rejects.
 */
export async function endProcessGroup(leader: number, graceMs: number): Promise<void> {
  const strays = await straysOf(leader)
  signalAll(leader, strays, 'SIGTERM')
  const deadline = performance.now() + graceMs
  while (performance.now() < deadline) {
    await sleep(POLL_MS)
    if (!(await groupLives(leader)) && (await living(strays)).length === 0) return
  }
  const late = await straysOf(leader)
  signalAll(leader, [...(await living(strays)), ...late], 'SIGKILL')
}

/** A process and when it started, so that a reused id is never signalled. */
interface Stray {
  pid: number
  started: string
}
interface Entry extends Stray {
  parent: number
  group: number
  zombie: boolean
}

function signalAll(leader: number, strays: readonly Stray[], signal: NodeJS.Signals): void {
  for (const target of [-leader, ...strays.map(({ pid }) => pid)]) {
    try {
      process.kill(target, signal)
    } catch {
      // Already gone.
    }
  }
}

/** A zombie that nobody has reaped yet counts as gone where the system lets us tell. */
async function groupLives(leader: number): Promise<boolean> {
  try {
    process.kill(-leader, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  return (await processTable()).some(({ group, zombie }) => group === leader && !zombie)
}

/** Descendants of the leader outside its group. */
async function straysOf(leader: number): Promise<Stray[]> {
  const table = await processTable()
  const family = new Set(
    table.filter(({ pid, group }) => pid === leader || group === leader).map(({ pid }) => pid),
  )
  for (let grown = true; grown;) {
    grown = false
    for (const { pid, parent } of table) {
      if (family.has(pid) || !family.has(parent)) continue
      family.add(pid)
      grown = true
    }
  }
  return table.filter(({ pid, group }) => family.has(pid) && group !== leader)
}

async function living(strays: readonly Stray[]): Promise<Stray[]> {
  const entries = await Promise.all(strays.map(({ pid }) => processEntry(String(pid))))
  return strays.filter(({ started }, at) => entries[at]?.started === started && !entries[at]?.zombie)
}

async function processTable(): Promise<Entry[]> {
  if (process.platform !== 'linux') return []
  const names = await readdir('/proc').catch(() => [])
  const entries = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(processEntry))
  return entries.filter((entry) => entry !== undefined)
}

async function processEntry(pid: string): Promise<Entry | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The name stands in parentheses and may hold anything; fields are counted behind it (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields
  return {
    pid: Number(pid),
    started: fields[19] ?? '',
    parent: Number(parent),
    group: Number(group),
    zombie: state === 'Z',
  }
}
