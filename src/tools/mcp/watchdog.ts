// The watchdog: ends what servers run when this process is gone, however it went, SIGKILL included.
import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Reads `+ group mark` and `- group mark` from a pipe that only we hold open. At its end, which the system brings
 * about when we die, each group on the list gets SIGTERM and, a second later, SIGKILL, with whoever else carries the
 * mark in its environment where the system shows that.
 */
const SCRIPT = `
groups=' '
marks=' '
while read -r sign group mark; do
  case $sign in
    +) groups="$groups$group "; marks="$marks$mark " ;;
    -)
      case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac
      case $marks in *" $mark "*) marks="\${marks%% $mark *} \${marks#* $mark }" ;; esac ;;
  esac
done
for group in $groups; do kill -TERM "-$group"; done
[ "$groups" = ' ' ] || sleep 1
for group in $groups; do kill -KILL "-$group"; done
[ "$groups" = ' ' ] || [ ! -r /proc/self/environ ] || for mark in $marks; do
  for found in $(grep -l -- "$mark" /proc/[0-9]*/environ); do
    stray=\${found#/proc/}
    kill -KILL "\${stray%/environ}"
  done
done
`

let running: { child: ChildProcess; watched: Set<string> } | undefined

/**
 * Puts a process group on the list; the returned function takes it off. `mark` is what its members carry in their
 * environment. Does nothing on Windows.
 */
export function watchGroup(leader: number, mark: Readonly<Record<string, string>>): () => void {
  if (process.platform === 'win32') return () => undefined
  running ??= { child: start(), watched: new Set() }
  const dog = running
  const entry = `${leader} ${Object.entries(mark)
    .map(([name, value]) => `${name}=${value}`)
    .join('')}`
  dog.watched.add(entry)
  dog.child.stdin?.write(`+ ${entry}\n`)
  return () => {
    if (!dog.watched.delete(entry)) return
    dog.child.stdin?.write(`- ${entry}\n`)
    if (dog.watched.size > 0) return
    if (running === dog) running = undefined
    dog.child.stdin?.end()
  }
}

/** In a session of its own, so that what ends our process group does not end it; it never keeps us running. */
function start(): ChildProcess {
  const child = spawn('sh', ['-c', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  })
  const lost = (): void => {
    if (running?.child === child) running = undefined
  }
  child.once('error', lost)
  child.once('exit', lost)
  child.stdin?.on('error', () => undefined)
  child.unref()
  unrefPipe(child)
  return child
}

function unrefPipe({ stdin }: ChildProcess): void {
  if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
}
