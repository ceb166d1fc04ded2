// Command lines inside the arguments of a command: `sh -c`, `eval`, `find -exec`.
import type { ShellWord } from './word.ts'
import { nameOf } from './wrappers.ts'

export interface Inner {
  /** Command lines. */
  scripts: readonly string[]
  /** Words of commands. */
  commands: readonly (readonly ShellWord[])[]
  /** Something is run that the words don't tell. */
  unclear: boolean
}

const SHELLS: ReadonlySet<string> = new Set(
  'bash sh zsh dash ash ksh mksh fish csh tcsh rbash su script runuser'.split(' '),
)
const CLEAR: Inner = { scripts: [], commands: [], unclear: false }
const UNCLEAR: Inner = { scripts: [], commands: [], unclear: true }

/**
 * Total. What a script file holds is nobody's to know here: it counts as nothing. `stripped`: the words without the
 * options of a wrapper.
 */
export function innerOf(words: readonly ShellWord[], stripped: readonly ShellWord[]): Inner {
  const name = nameOf(words[0]).toLowerCase()
  const rest = words.slice(1)
  if (SHELLS.has(name)) return shellInner(name, rest)
  switch (name) {
    case 'eval':
      return joined(rest)
    case 'watch':
    case 'parallel':
      return joined(stripped)
    case 'trap':
      return joined(rest.filter((word) => !isOption(word)).slice(0, 1))
    case 'alias':
      return aliases(rest)
    case 'source':
    case '.':
    case 'hash':
    case 'enable':
      return rest.every((word) => word.kind === 'static' && !word.value.startsWith('-')) ? CLEAR : UNCLEAR
    case 'find':
      return { ...CLEAR, commands: actions(rest, /^-(?:exec|execdir|ok|okdir)$/) }
    case 'git':
      return gitInner(rest)
    case 'fd':
    case 'fdfind':
      return { ...CLEAR, commands: actions(rest, /^(?:-x|-X|--exec|--exec-batch)$/) }
    default:
      return CLEAR
  }
}

/** `git -c alias.x='!rm f' x`, `git rebase -x 'rm f'`, `git bisect run rm f`, `git submodule foreach rm f`. */
function gitInner(rest: readonly ShellWord[]): Inner {
  const texts = rest.map((word) => (word.kind === 'static' ? word.value : ''))
  const scripts = texts.flatMap((text, index) => {
    const before = texts[index - 1] ?? ''
    if (before === '-c') return [text.replace(/^[^=]*=!?/, '')]
    if (/^(?:-x|--exec)$/.test(before) || /^--[\w-]+-filter$/.test(before)) return [text]
    const attached = /^(?:--exec=|--[\w-]+-filter=|-c[\w.-]+=!?|-x(?=.))(.*)$/s.exec(text)?.[1]
    return attached === undefined ? [] : [attached]
  })
  const run = texts.findIndex(
    (text, index) => text === 'foreach' || (text === 'run' && texts[index - 1] === 'bisect'),
  )
  const last = run < 0 ? CLEAR : joined(rest.slice(run + 1))
  return { ...last, scripts: [...scripts, ...last.scripts] }
}

function isOption(word: ShellWord): boolean {
  return word.kind === 'static' && /^-./.test(word.value)
}

function shellInner(name: string, rest: readonly ShellWord[]): Inner {
  const flag = rest.findIndex(
    (word) =>
      word.kind === 'static' &&
      (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(word.value) || word.value.startsWith('--command')),
  )
  if (flag < 0) {
    // Without a file it reads commands from its input.
    const file = rest.find((word) => !isOption(word))
    return file?.kind === 'static' && name !== 'su' && name !== 'script' ? CLEAR : UNCLEAR
  }
  const option = rest[flag]
  if (option?.kind === 'static' && option.value.includes('='))
    return joined([{ ...option, value: option.value.replace(/^[^=]*=/, '') }])
  return joined(
    rest
      .slice(flag + 1)
      .filter((word) => !isOption(word))
      .slice(0, 1),
  )
}

function joined(words: readonly ShellWord[]): Inner {
  const texts: string[] = []
  for (const word of words) {
    if (word.kind !== 'static') return UNCLEAR
    texts.push(word.value)
  }
  return { ...CLEAR, scripts: texts.length > 0 ? [texts.join(' ')] : [] }
}

function aliases(words: readonly ShellWord[]): Inner {
  const scripts: string[] = []
  for (const word of words) {
    if (word.kind !== 'static') return UNCLEAR
    if (word.value.includes('=')) scripts.push(word.value.slice(word.value.indexOf('=') + 1))
  }
  return { ...CLEAR, scripts }
}

function actions(words: readonly ShellWord[], flag: RegExp): ShellWord[][] {
  return words.flatMap((word, index) =>
    word.kind === 'static' && flag.test(word.value) ? [words.slice(index + 1)] : [],
  )
}
