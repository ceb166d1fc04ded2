// The system's processes, where it shows them (Linux): who started whom, in which group, with which environment.
import { readdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'

export interface ProcessEntry {
  pid: number
  parent: number
  group: number
  /** Clock ticks since the start of the system; with the id it names a process for good. */
  started: number
  /** Ended, but not yet reaped by its parent. */
  zombie: boolean
}

/** The kernel counts in these for user space on every architecture. */
const TICKS_PER_SECOND = 100

/** Processes that start from now on have at least this `started`; a second of slack for the clock's grain. */
export function ticksNow(): number {
  return Math.floor((uptime() - 1) * TICKS_PER_SECOND)
}

/** Empty where the system shows none. Synchronous: it takes less time than a turn of the event loop for each. */
export function processTable(): ProcessEntry[] {
  if (process.platform !== 'linux') return []
  const names = listProc().filter((name) => /^\d+$/.test(name))
  return names.flatMap((name) => processEntry(Number(name)) ?? [])
}

export function processEntry(pid: number): ProcessEntry | undefined {
  const stat = readProc(pid, 'stat')
  if (stat === undefined) return undefined
  // The name stands in parentheses and may hold anything; fields are counted behind it (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    started: Number(fields[19]),
    zombie: state === 'Z' || state === 'X',
  }
}

/** Whether a process was started with this entry in its environment; false where that can't be seen. */
export function hasVariable(pid: number, entry: string): boolean {
  return `\0${readProc(pid, 'environ') ?? ''}`.includes(`\0${entry}\0`)
}

function listProc(): string[] {
  try {
    return readdirSync('/proc')
  } catch {
    return []
  }
}

function readProc(pid: number, file: 'stat' | 'environ'): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return undefined
  }
}
