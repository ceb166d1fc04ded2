// Commands that run the command in their arguments: where that one begins.
import type { ShellWord } from './word.ts'

interface Wrapper {
  /** Options without a value. */
  flags?: readonly string[]
  /** Options with a value, attached or as the next word. */
  values?: readonly string[]
  /** Operands before the command. */
  operands?: number
  /** `NAME=value` words before the command. */
  assignments?: true
  /** Options that make it run nothing. */
  asks?: readonly string[]
}

const TABLE: Readonly<Record<string, Wrapper>> = {
  nohup: {},
  setsid: { flags: ['-c', '-f', '-w', '--ctty', '--fork', '--wait'] },
  time: {
    flags: ['-p', '-v', '-q', '-a', '--portability', '--verbose'],
    values: ['-f', '-o', '--format', '--output'],
  },
  timeout: {
    flags: ['-v', '-f', '-p', '--verbose', '--foreground', '--preserve-status'],
    values: ['-k', '-s', '--kill-after', '--signal'],
    operands: 1,
  },
  nice: { values: ['-n', '--adjustment'] },
  ionice: { flags: ['-t', '--ignore'], values: ['-c', '-n', '--class', '--classdata'] },
  stdbuf: { values: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  command: { flags: ['-p'], asks: ['-v', '-V'] },
  builtin: {},
  exec: { flags: ['-c', '-l', '-cl', '-lc'], values: ['-a'] },
  env: {
    flags: ['-i', '-', '-v', '-0', '--ignore-environment', '--debug'],
    values: ['-u', '-C', '--unset', '--chdir'],
    assignments: true,
  },
  sudo: {
    flags: [
      '-A',
      '-b',
      '-E',
      '-H',
      '-i',
      '-k',
      '-n',
      '-P',
      '-S',
      '-s',
      '--preserve-env',
      '--login',
      '--shell',
      '--non-interactive',
    ],
    values: [
      '-C',
      '-D',
      '-g',
      '-h',
      '-p',
      '-R',
      '-r',
      '-t',
      '-T',
      '-u',
      '-U',
      '--user',
      '--group',
      '--host',
      '--chdir',
    ],
    assignments: true,
    asks: ['-l', '-v', '-V', '--list', '--version'],
  },
  doas: { flags: ['-n', '-s', '-L'], values: ['-a', '-C', '-u'] },
  xargs: {
    flags: [
      '-0',
      '-o',
      '-p',
      '-r',
      '-t',
      '-x',
      '--null',
      '--no-run-if-empty',
      '--verbose',
      '--interactive',
      '--open-tty',
      '--exit',
    ],
    values: [
      '-a',
      '-d',
      '-E',
      '-I',
      '-L',
      '-n',
      '-P',
      '-s',
      '--arg-file',
      '--delimiter',
      '--replace',
      '--max-lines',
      '--max-args',
      '--max-procs',
      '--max-chars',
    ],
  },
  parallel: {
    flags: ['-k', '-u', '-0', '-X', '-m', '--keep-order', '--bar'],
    values: ['-j', '-n', '-N', '-I', '-S', '--jobs', '--delay'],
  },
  watch: { flags: ['-b', '-c', '-d', '-e', '-g', '-t', '-x', '--exec'], values: ['-n', '--interval'] },
  busybox: {},
  toybox: {},
  unbuffer: { flags: ['-p'] },
  chronic: {},
  strace: { flags: ['-f', '-ff', '-c', '-C', '-q'], values: ['-e', '-o', '-p', '-s', '-u'] },
  ltrace: { flags: ['-f', '-c'], values: ['-e', '-o', '-p', '-s', '-u'] },
  chroot: { values: ['--userspec', '--groups'], operands: 1 },
  flock: { flags: ['-s', '-x', '-n', '-u', '-o', '-F'], values: ['-w', '-E'], operands: 1 },
  unshare: { flags: ['-m', '-u', '-i', '-n', '-p', '-U', '-f', '-r', '--fork', '--map-root-user'] },
  taskset: { flags: ['-a'], operands: 1 },
  git: {
    flags: [
      '-p',
      '-P',
      '--paginate',
      '--no-pager',
      '--bare',
      '--no-replace-objects',
      '--literal-pathspecs',
      '--no-optional-locks',
    ],
    asks: ['--version', '-v', '--help', '-h', '--html-path', '--man-path', '--info-path'],
    values: [
      '-C',
      '-c',
      '--git-dir',
      '--work-tree',
      '--namespace',
      '--exec-path',
      '--config-env',
      '--super-prefix',
    ],
  },
}

/** Wrappers that change nothing about what they run; rules may allow both together. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'nohup',
  'timeout',
  'nice',
  'stdbuf',
  'time',
  'command',
  'builtin',
  'setsid',
  'ionice',
])

/** Others that run the command behind their own arguments. */
const PREFIXES: ReadonlySet<string> = new Set(
  (
    'chrt fakeroot fakechroot faketime setarch linux32 linux64 i386 x86_64 prlimit numactl firejail proot bwrap ' +
    'dbus-run-session dbus-launch xvfb-run caffeinate winpty catchsegv eatmydata rlwrap nsenter systemd-run setpriv ' +
    'capsh pkexec run0 flatpak-spawn cgexec choom cpulimit trickle torsocks proxychains proxychains4 daemonize ' +
    'start-stop-daemon entr direnv dotenv env-cmd cross-env npx pnpx bunx ssh sshpass'
  ).split(' '),
)

export type Stripped =
  /** It runs no command that its words name. */
  | { kind: 'none' }
  | { kind: 'inner'; words: readonly ShellWord[] }
  /** It may run one that begins somewhere behind the first word. */
  | { kind: 'somewhere' }
  /** The same, or one that its words do not tell. */
  | { kind: 'unclear' }

const NONE: Stripped = { kind: 'none' }
const UNCLEAR: Stripped = { kind: 'unclear' }
const SOMEWHERE: Stripped = { kind: 'somewhere' }

/** The name of a command word: without its directory, `.exe` and case of Windows. */
export function nameOf(word: ShellWord | undefined): string {
  if (word?.kind !== 'static') return ''
  return (word.value.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '')
}

export function isTransparent(words: readonly ShellWord[]): boolean {
  const [first] = words
  return first?.kind === 'static' && TRANSPARENT.has(first.value)
}

/** Takes one wrapper off. */
export function strip(words: readonly ShellWord[]): Stripped {
  const name = nameOf(words[0])
  const wrapper = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined
  if (wrapper === undefined) return PREFIXES.has(name) ? SOMEWHERE : NONE
  const start = commandStart(words, wrapper)
  if (start === undefined) return UNCLEAR
  const rest = words.slice(start)
  if (rest.length === 0) return NONE
  // Options of git stand before its own subcommand.
  if (name === 'git') return start === 1 ? NONE : { kind: 'inner', words: [words[0] as ShellWord, ...rest] }
  return { kind: 'inner', words: rest }
}

function commandStart(words: readonly ShellWord[], wrapper: Wrapper): number | undefined {
  let index = 1
  for (;;) {
    const word = words[index]
    if (word === undefined) return index
    if (word.kind !== 'static') break
    const { value } = word
    if (value === '--') {
      index++
      break
    }
    if (!value.startsWith('-')) break
    const length = optionLength(value, wrapper)
    if (length === undefined) return undefined
    if (length === 0) return words.length
    index += length
  }
  while (wrapper.assignments && isAssignment(words[index])) index++
  for (let operands = wrapper.operands ?? 0; operands > 0; operands--) {
    if (words[index]?.kind !== 'static') return undefined
    index++
  }
  return Math.min(index, words.length)
}

/** Words that an option takes; 0 when nothing is run because of it; `undefined` when it is not known. */
function optionLength(option: string, { flags = [], values = [], asks = [] }: Wrapper): number | undefined {
  if (asks.includes(option)) return 0
  if (flags.includes(option)) return 1
  if (values.includes(option)) return 2
  const attached = values.some((known) =>
    known.startsWith('--')
      ? option.startsWith(`${known}=`)
      : option.startsWith(known) && !option.startsWith('--'),
  )
  if (attached) return 1
  if (/^-\d+$/.test(option)) return 1
  const letters = /^-[A-Za-z0-9]+$/.test(option) ? option.slice(1).split('') : []
  return letters.length > 0 && letters.every((letter) => flags.includes(`-${letter}`)) ? 1 : undefined
}

function isAssignment(word: ShellWord | undefined): boolean {
  return word?.kind === 'static' && /^[A-Za-z_]\w*=/.test(word.value)
}
