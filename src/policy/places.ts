// Places: whether a path is inside the roots, and whether it is one that even a trusting mode must not touch unasked.
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { contains } from '#workspace/path-inside.ts'
import { isTreacherousWindowsPath } from './windows-path.ts'

export interface Place {
  /** The real path. */
  path: string
  /** Absolute, links not resolved. */
  literal: string
  /** The real path of the root that it is inside of. */
  root: string | undefined
  inside: boolean
  /** Only a person may change it. */
  protected: boolean
  /** Only a person may have it read. */
  secret: boolean
  /** Outside of the roots, and yet for the session to read: output that its own tools have put there. */
  output: boolean
}

export interface Places {
  /**
   * Judges a path by where its bytes really are; `directory` is where a relative one starts, by default the working
   * directory of the session. Never rejects: what can't be found out is outside.
   */
  judge(path: string, directory?: string): Promise<Place>
  /** The entry that a path names: only the links on the way to it are resolved, where they can be. */
  entry(path: string): Promise<string>
  /** The same for one moment: every path is judged once. For questions that belong together, not to be kept. */
  now(): Places
}

export interface PlacesInit {
  roots: readonly string[]
  /** The directory of Deckhand's own state and configuration; only a person may change it. */
  own: readonly string[]
  /** Files that are run with our own rights, such as plug-ins; only a person may change them. */
  runs?: readonly string[]
  /** Where the tools of the session put long output; undefined while there is none. */
  outputs?(): string | undefined
  resolve(path: string): string
  realPath(path: string): Promise<string>
  /** The same for `own` and `runs`, without waiting; default: as all others. */
  ownRealPath?(path: string): string
  platform?: NodeJS.Platform
}

const PROTECTED_SEGMENTS: ReadonlySet<string> = new Set(['.git', 'git~1', '.deckhand', '.ssh'])
/** Files of the home directory that run code, or decide who may log in. */
const PROTECTED_DOTFILES =
  /^\.(bash(rc|_profile|_login|_logout|_aliases)|zsh(rc|env)|zprofile|zlogin|zlogout|profile|login|kshrc|cshrc|tcshrc|inputrc|netrc|gitconfig|npmrc)$/
const SECRET_DOTFILES: ReadonlySet<string> = new Set(['.netrc', '.npmrc'])

/** Milliseconds for which the roots, and our own directories, are taken to be where they were found. */
const GROUND_MS = 50

/** Real paths of what every place is compared with. */
interface Ground {
  roots: readonly string[]
  own: readonly string[]
  runs: readonly string[]
}

export function createPlaces(init: PlacesInit): Places {
  const { resolve: absolute, realPath, platform = process.platform } = init
  const ground = groundOf(init)
  const literalOf = (path: string, directory: string | undefined): string =>
    directory === undefined || isAbsolute(path) ? absolute(path) : resolve(absolute(directory), path)
  const judge = async (literal: string): Promise<Place> => {
    const treacherous = literal.includes('\0') || (platform === 'win32' && isTreacherousWindowsPath(literal))
    if (treacherous) return unknownPlace(literal)
    return findPlace(literal, init, ground).catch(() => unknownPlace(literal))
  }
  const entry = async (path: string): Promise<string> => {
    const literal = absolute(path)
    const parent = dirname(literal)
    return join(await realPath(parent).catch(() => parent), basename(literal))
  }
  const now = (): Places => {
    const places = new Map<string, Promise<Place>>()
    const once = (literal: string): Promise<Place> => {
      const known = places.get(literal) ?? judge(literal)
      places.set(literal, known)
      return known
    }
    return { judge: (path, directory) => once(literalOf(path, directory)), entry, now }
  }
  return { judge: (path, directory) => judge(literalOf(path, directory)), entry, now }
}

function groundOf({ roots, own, runs = [], realPath, ownRealPath }: PlacesInit): () => Promise<Ground> {
  const ours = (path: string): Promise<string> | string => ownRealPath?.(path) ?? realPath(path)
  const find = async (): Promise<Ground> => {
    const [realRoots, realOwn, realRuns] = await Promise.all([
      Promise.all(roots.map((root) => realPath(root))),
      Promise.all(own.map(async (path) => ours(path))),
      Promise.all(runs.map(async (path) => [path, await ours(path)])),
    ])
    return { roots: realRoots, own: realOwn, runs: realRuns.flat() }
  }
  let known: Promise<Ground> | undefined
  let until = 0
  return () => {
    if (known !== undefined && performance.now() < until) return known
    until = performance.now() + GROUND_MS
    return (known = find())
  }
}

function unknownPlace(literal: string): Place {
  return {
    path: literal,
    literal,
    root: undefined,
    inside: false,
    protected: false,
    secret: false,
    output: false,
  }
}

async function findPlace(
  literal: string,
  { outputs, realPath }: PlacesInit,
  ground: () => Promise<Ground>,
): Promise<Place> {
  const [path, { roots, own, runs }] = await Promise.all([realPath(literal), ground()])
  const root = roots.find((candidate) => contains(candidate, path))
  const kept = outputs?.()
  const output = kept !== undefined && contains(await realPath(kept), path)
  const ours = own.some((directory) => contains(directory, path))
  const spelled = [...new Set([path, literal])]
  const holds = [...roots, ...own, ...runs].some((held) => spelled.some((name) => contains(name, held)))
  const names = spelled.map((name) => namesOf(name, root))
  return {
    path,
    literal,
    root,
    inside: root !== undefined,
    protected: ours || holds || names.some(isProtected),
    secret: (ours && !output) || names.some(isSecret),
    output,
  }
}

/** The segments of a path as `plain` spells them. */
interface Names {
  path: string
  /** Below the root: what is above was the person's choice. */
  below: readonly string[]
  last: string
}

function namesOf(path: string, root: string | undefined): Names {
  const way = root !== undefined && contains(root, path) ? relative(root, path) : resolve(path)
  return { path, below: way.split(/[/\\]/).map(plain), last: plain(basename(path)) }
}

function isProtected({ path, below, last }: Names): boolean {
  if (below.some((name) => PROTECTED_SEGMENTS.has(name))) return true
  return PROTECTED_DOTFILES.test(last) && contains(homedir(), path)
}

function isSecret({ path, below, last }: Names): boolean {
  return below.includes('.ssh') || (SECRET_DOTFILES.has(last) && contains(homedir(), path))
}

/** Most names: asking this is cheaper than rewriting them. */
const ALREADY_PLAIN = /^[a-z0-9._~-]*[a-z0-9_~-]$/

/** What some file system takes a name for: case, ignorable characters, trailing dots and spaces, streams. */
function plain(segment: string): string {
  if (ALREADY_PLAIN.test(segment)) return segment
  return segment
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
}
