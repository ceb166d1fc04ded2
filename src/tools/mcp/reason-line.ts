// Which line of what a server wrote on stderr says why it ended. Launchers and runtimes write more behind the reason.

/** What stands behind the reason: where a log is, which runtime it was, what there is to read, what is new. */
const FOOTER =
  /^npm (?:notice|warn)\b|A complete log of this run can be found in|^Node\.js v\d|^\(Use `node --trace|^(?:See|Run|Try) .*--?help\b/
const NPM = /^npm (?:error|ERR!)/
/** Lines of npm that say one thing of a failure each, and none of them what failed. */
const NPM_FACT =
  /^npm (?:error|ERR!)(?: +\d*$| *$| (?:code|syscall|errno|path|dest|signal|workspace|location|command) | command failed| Lifecycle script )/
/** The end of a stack, or of what Node shows of an error behind its stack. */
const STACK_END = /^\s+at |^\}$/

/** The line that says most, trimmed; empty when none says anything. Pure. */
export function reasonLine(text: string): string {
  return reasonIn(text.split(/[\r\n]+/).filter((line) => line.trim() !== '')).trim()
}

function reasonIn(lines: readonly string[]): string {
  const end = lines.findLastIndex((line) => !FOOTER.test(line))
  const last = lines[end]
  if (last === undefined) return lines.at(-1) ?? ''
  if (NPM.test(last)) return reasonOfNpm(lines, end)
  const head = STACK_END.test(last) ? lines.slice(0, end).findLast((line) => /^[^\s}]/.test(line)) : undefined
  return head ?? last
}

/** What npm says first of its last failure; where it only says that a program failed, what the program said before. */
function reasonOfNpm(lines: readonly string[], end: number): string {
  const begin = lines.findLastIndex((line, at) => at < end && (!NPM.test(line) || FOOTER.test(line))) + 1
  const said = lines.slice(begin, end + 1).find((line) => !NPM_FACT.test(line))
  return said ?? (reasonIn(lines.slice(0, begin)) || (lines[end] ?? ''))
}
