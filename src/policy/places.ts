// Places: whether a path is inside the roots, and whether it is one that even a trusting mode must not change unasked.
import { homedir } from 'node:os'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'

export interface Place {
  /** The real path. */
  path: string
  inside: boolean
  protected: boolean
}

export interface Places {
  /** Judges a path by where its bytes really are. Rejects when that can't be found out. */
  judge(path: string): Promise<Place>
}

export interface PlacesInit {
  roots: readonly string[]
  /** The directory of Deckhand's own state and configuration; only a person may change it. */
  own: readonly string[]
  resolve(path: string): string
  realPath(path: string): Promise<string>
}

const PROTECTED_SEGMENTS: ReadonlySet<string> = new Set(['.git', '.deckhand', '.ssh'])
/** Files of the home directory that run code, or decide who may log in. */
const PROTECTED_DOTFILES = /^\.(bash(rc|_profile|_login|_logout|_aliases)|zsh(rc|env)|zprofile|zlogin|profile|login|netrc|gitconfig|npmrc)$/

export function createPlaces({ roots, own, resolve: absolute, realPath }: PlacesInit): Places {
  return {
    async judge(path) {
      const real = await realPath(absolute(path))
      const realRoots = await Promise.all(roots.map((root) => realPath(root)))
      const realOwn = await Promise.all(own.map((directory) => realPath(directory)))
      const root = realRoots.find((candidate) => contains(candidate, real))
      return {
        path: real,
        inside: root !== undefined,
        protected: realOwn.some((directory) => contains(directory, real)) || isProtected(real, root),
      }
    },
  }
}

/** By path segment: `/w2` is not inside `/w`, and `..cache` is no way out. */
export function contains(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

function isProtected(path: string, root: string | undefined): boolean {
  const segments = (root === undefined ? resolve(path) : relative(root, path)).toLowerCase().split(sep)
  if (segments.some((segment) => PROTECTED_SEGMENTS.has(segment))) return true
  return contains(homedir(), path) && PROTECTED_DOTFILES.test(basename(path))
}
