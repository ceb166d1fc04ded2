// Commands that run what their arguments, files or input say: no rule can allow them.
import type { ShellWord } from './word.ts'
import { nameOf } from './wrappers.ts'

const NAMES: ReadonlySet<string> = new Set(
  (
    'eval source . exec trap coproc alias enable hash env xargs parallel sudo doas su pkexec ' +
    'runuser chroot unshare nsenter watch ssh script bash sh zsh dash ash ksh mksh fish csh tcsh ' +
    'rbash pwsh powershell cmd busybox toybox strace ltrace flock unbuffer chronic taskset ' +
    'expect at batch crontab systemd-run setpriv gdb'
  ).split(' '),
)
const FIND_ACTION = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/
const FD_ACTION = /^(?:-[a-zA-Z0-9]*[xX].*|--exec(?:-batch)?(?:=.*)?)$/

/** Why it asks whatever the rules say, or nothing. `words` is one form of a simple command. */
export function alwaysAsks(words: readonly ShellWord[]): string | undefined {
  const name = nameOf(words[0]).toLowerCase()
  if (NAMES.has(name)) return `${name} runs what it is given`
  const action = name === 'find' ? FIND_ACTION : name === 'fd' || name === 'fdfind' ? FD_ACTION : undefined
  if (action === undefined) return undefined
  const found = words.slice(1).find((word) => word.kind === 'static' && action.test(word.value))
  return found?.kind === 'static' ? `${name} ${found.value} acts on what it finds` : undefined
}
