// Places: whether a path is inside the roots, and whether it is one that even a trusting mode must not touch unasked.
import { homedir } from 'node:os'
import { basename, isAbsolute, relative, resolve } from 'node:path'
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
  /** The same for one moment: every path is resolved once. For questions that belong together, not to be kept. */
  now(): Places
}

export interface PlacesInit {
  roots: readonly string[]
  /** The directory of Deckhand's own state and configuration; only a person may change it. */
  own: readonly string[]
  /** Where the tools of the session put long output; undefined while there is none. */
  outputs?(): string | undefined
  resolve(path: string): string
  realPath(path: string): Promise<string>
  /** The same for `own`, without waiting; default: as all others. */
  ownRealPath?(path: string): string
  platform?: NodeJS.Platform
}

const PROTECTED_SEGMENTS: ReadonlySet<string> = new Set(['.git', 'git~1', '.deckhand', '.ssh'])
/** Files of the home directory that run code, or decide who may log in. */
const PROTECTED_DOTFILES =
  /^\.(bash(rc|_profile|_login|_logout|_aliases)|zsh(rc|env)|zprofile|zlogin|zlogout|profile|login|kshrc|cshrc|tcshrc|inputrc|netrc|gitconfig|npmrc)$/
const SECRET_DOTFILES: ReadonlySet<string> = new Set(['.netrc', '.npmrc'])

export function createPlaces(init: PlacesInit): Places {
  const { own, ownRealPath } = init
  const shared = whileUnderway(init.realPath)
  return placesOf(init, shared, async () =>
    ownRealPath ? own.map((path) => ownRealPath(path)) : Promise.all(own.map((path) => shared(path))),
  )
}

/** `rootPath` resolves roots, and `ownPaths` gives our own directories: the same for every question. */
function placesOf(init: PlacesInit, rootPath: RealPath, ownPaths: () => Promise<readonly string[]>): Places {
  const { resolve: absolute, platform = process.platform } = init
  return {
    async judge(path, directory) {
      const relative = directory !== undefined && !isAbsolute(path)
      const literal = relative ? resolve(absolute(directory), path) : absolute(path)
      const treacherous =
        literal.includes('\0') || (platform === 'win32' && isTreacherousWindowsPath(literal))
      if (treacherous) return unknownPlace(literal)
      return findPlace(literal, init, rootPath, ownPaths).catch(() => unknownPlace(literal))
    },
    now: () => {
      const found = new Map<string, Promise<string>>()
      let ours: Promise<readonly string[]> | undefined
      return placesOf(
        { ...init, realPath: once(init.realPath, found) },
        once(rootPath, found),
        () => (ours ??= ownPaths()),
      )
    },
  }
}

type RealPath = PlacesInit['realPath']

/** Shares what was found, or how it failed. */
function once(realPath: RealPath, found: Map<string, Promise<string>>): RealPath {
  return (path) => {
    const known = found.get(path) ?? realPath(path)
    found.set(path, known)
    return known
  }
}

/** Whoever asks while an answer is underway waits for that one. */
function whileUnderway(realPath: RealPath): RealPath {
  const underway = new Map<string, Promise<string>>()
  return (path) => {
    const known = underway.get(path)
    if (known !== undefined) return known
    const asked = realPath(path).finally(() => underway.delete(path))
    underway.set(path, asked)
    return asked
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
  { roots, outputs, realPath }: PlacesInit,
  rootPath: RealPath,
  ownPaths: () => Promise<readonly string[]>,
): Promise<Place> {
  const [real, realRoots, realOwn] = await Promise.all([
    realPath(literal),
    Promise.all(roots.map((root) => rootPath(root))),
    ownPaths(),
  ])
  const root = realRoots.find((candidate) => contains(candidate, real))
  const kept = outputs?.()
  const output = kept !== undefined && contains(await realPath(kept), real)
  const ours = realOwn.some((directory) => contains(directory, real))
  const holds = [...realRoots, ...realOwn].some((directory) => contains(real, directory))
  return {
    path: real,
    literal,
    root,
    inside: root !== undefined,
    protected: ours || holds || isProtected(real, root) || isProtected(literal, root),
    secret: (ours && !output) || isSecret(real, root) || isSecret(literal, root),
    output,
  }
}

function isProtected(path: string, root: string | undefined): boolean {
  if (segmentsOf(path, root).some((segment) => PROTECTED_SEGMENTS.has(segment))) return true
  return contains(homedir(), path) && PROTECTED_DOTFILES.test(plain(basename(path)))
}

function isSecret(path: string, root: string | undefined): boolean {
  if (segmentsOf(path, root).includes('.ssh')) return true
  return contains(homedir(), path) && SECRET_DOTFILES.has(plain(basename(path)))
}

/** Below the root: what is above was the person's choice. */
function segmentsOf(path: string, root: string | undefined): string[] {
  const way = root !== undefined && contains(root, path) ? relative(root, path) : resolve(path)
  return way.split(/[/\\]/).map(plain)
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
