// Which processes of a directory still live, and what a test does with a command that may hang.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Command lines of the living processes whose working directory is `cwd`. Linux only. */
export function processesIn(cwd: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) !== cwd) return []
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      if (stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')) return []
      return [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')]
    } catch {
      return []
    }
  })
}
