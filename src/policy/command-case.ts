// A command line with everything around it: where it runs, which paths it touches, and how its conditions turn out.
import { contains } from '#workspace/path-inside.ts'
import { type Context, outsideReason, protectedReason } from './decision.ts'
import type { Effect } from './effects.ts'
import type { Place } from './places.ts'
import { madeUpRepository } from './repository.ts'
import type { Subject, Touched } from './ruling.ts'
import { judgeShellPath } from './shell-places.ts'
import type { OnCondition, Opened } from './shell/allowance.ts'
import type { Redirected, ShellLine } from './shell/facts.ts'
import { formsOf } from './shell/forms.ts'
import { readingOf } from './shell/reader.ts'
import type { ShellWord } from './shell/word.ts'

export interface CommandCase {
  line: ShellLine
  directory: Place
  /** The real path of the session's working directory. */
  project: string
  subject: Subject
}

type CommandEffect = Extract<Effect, { kind: 'command' }>

/** `line` is the command of the effect, read. */
export async function openCase(
  line: ShellLine,
  { directory }: CommandEffect,
  { places }: Context,
): Promise<CommandCase> {
  const [place, project] = await Promise.all([places.judge(directory), places.judge('.')])
  const opened = [...line.redirected, ...line.commands.flatMap((command) => command.redirected)]
  const forms = formsOf(line)
  const looked = forms.forms.map(({ words }) => readingOf(words) ?? possibleReading(words))
  const found = await Promise.all([
    ...opened.map(({ access, target }) => touch(access, target, false, false)),
    ...looked.flatMap(({ paths }) => paths.map(({ path, glob, deep }) => touch('read', path, glob, deep))),
  ])
  async function touch(
    access: 'read' | 'write',
    path: string | undefined,
    glob: boolean,
    deep: boolean,
  ): Promise<Touched[] | undefined> {
    const judged = path === undefined ? undefined : await judgeShellPath(path, glob, place.path, places)
    return judged?.map((where) => ({ access, place: where, deep }))
  }
  const touched = found.flatMap((paths) => paths ?? [])
  const untold = line.unreadable || found.includes(undefined) || looked.some((reading) => 'untold' in reading)
  return {
    line,
    directory: place,
    project: project.path,
    subject: { tool: 'bash', kind: 'command', touched, untold, forms },
  }
}

interface PossibleReading {
  paths: { path: string; glob: boolean; deep: boolean }[]
  untold?: true
}

/** What a command that nothing is known of may read, for the rules that forbid: each of its words may hold a file. */
function possibleReading([, ...words]: readonly ShellWord[]): PossibleReading {
  const paths = words.flatMap((word) =>
    word.kind === 'static' ? filesIn(word.value).map((path) => ({ path, glob: false, deep: false })) : [],
  )
  const told = words.every((word) => word.kind === 'static' || word.kind === 'number')
  return told ? { paths } : { paths, untold: true }
}

/** More are no names of files. */
const MOST_PARTS = 8

/** `.env`, `--config=.env`, `if=.env`, `-d@.env`, `-o.env`. */
function filesIn(word: string): string[] {
  const attached = /^-[A-Za-z](.+)$/s.exec(word)?.[1]
  const behind = [...word.matchAll(/[=@:,]/g)].slice(0, MOST_PARTS).map(({ index }) => word.slice(index + 1))
  return [word.startsWith('-') ? '' : word, attached ?? '', ...behind].filter((path) => path !== '')
}

/** Why a command must be asked about although it only looks; undefined when its paths are in order. */
export async function conditionFails(
  { paths, git }: OnCondition,
  { directory }: CommandCase,
  mayRead: (place: Place) => boolean,
  { places }: Context,
): Promise<string | undefined> {
  for (const { path, glob } of paths) {
    const judged = await judgeShellPath(path, glob, directory.path, places)
    if (judged === undefined) return `it can not be told what ${path} names`
    const bad = judged.find((place) => !mayRead(place))
    if (bad) return bad.inside ? protectedReason(bad) : outsideReason(bad)
  }
  const made = git && (await madeUpRepository(directory.path))
  return made
    ? `${directory.path} looks like a repository that git would take its configuration from`
    : undefined
}

export interface RedirectionCheck {
  /** It could be remembered: inside, and not protected. */
  grantable: boolean
  /** Undefined when it may be opened. */
  problem: string | undefined
}

const FINE: RedirectionCheck = { grantable: true, problem: undefined }

/** `may` is what the mode and the rules say about a place that is not remembered. */
export async function checkRedirection(
  { redirected, remembered }: Opened,
  moves: boolean,
  at: CommandCase,
  may: (touched: Touched) => boolean,
  { places }: Context,
): Promise<RedirectionCheck> {
  const { access, target } = redirected
  const judged =
    target === undefined || (moves && !target.startsWith('/'))
      ? undefined
      : await judgeShellPath(target, false, at.directory.path, places)
  const [place] = judged ?? []
  if (place === undefined)
    return { grantable: false, problem: `it ${verb(redirected)} a file that is not known before it runs` }
  const harmless = place.inside && !(access === 'write' ? place.protected : place.secret)
  if (may({ access, place, deep: false }) || (harmless && remembered)) return FINE
  return { grantable: harmless, problem: `it ${verb(redirected)} ${place.path}` }
}

function verb({ access }: Redirected): string {
  return access === 'write' ? 'writes to' : 'reads'
}

/** Words that name a place outside the project, as far as that can be seen. */
export async function namesOutside(
  { line, project, directory }: CommandCase,
  { places }: Context,
): Promise<boolean> {
  for (const { words } of line.commands) {
    for (const [index, word] of words.entries()) {
      if (word.kind === 'dynamic' && word.text.startsWith('~')) return true
      const text = word.kind === 'static' ? word.value : word.kind === 'glob' ? word.prefix : ''
      const path = text.replace(/^-[^=]*=/, '')
      if (index === 0 || !/^(?:\/|\.\.(?:\/|$))/.test(path)) continue
      const { path: real } = await places.judge(path, directory.path)
      if (!contains(project, real)) return true
    }
  }
  return false
}
