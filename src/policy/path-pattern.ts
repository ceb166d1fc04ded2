// Patterns of paths in rules, as in an ignore file: relative to a root, at any depth without a slash, or absolute.
import { homedir } from 'node:os'
import { isAbsolute, join, relative } from 'node:path'
import picomatch from 'picomatch'
import { globFault } from '#workspace/glob-fault.ts'
import { contains } from '#workspace/path-inside.ts'
import type { Place } from './places.ts'

export interface PathPattern {
  /** It names this very place or a directory above it. `strictly`: patterns without a slash hold outside the roots as well. */
  matches(place: Place, strictly: boolean): boolean
  /** It may name something below this directory. */
  reachesBelow(place: Place): boolean
}

/** Throws an `Error` that says what is wrong with the pattern. */
export function compilePathPattern(text: string, platform: NodeJS.Platform = process.platform): PathPattern {
  const nocase = platform === 'win32' || platform === 'darwin'
  // Such file systems don't tell spellings of a character apart either.
  const pattern = withoutEdges(nocase ? text.normalize('NFC') : text)
  check(pattern)
  const absolute = isAbsolute(pattern) || /^[a-zA-Z]:\//.test(pattern)
  const floating = !absolute && !pattern.includes('/')
  const wanted = floating ? `**/${pattern}` : pattern
  const literal = !/[*?[\]{}()!+@]/.test(pattern)
  const globs = literal ? [wanted, `${wanted}/**`] : [wanted]
  const options = { dot: true, nonegate: true, nocase, windows: false }
  const isMatch = picomatch(globs.map(withoutRoot), options)
  // A directory may be called `[id]`: rules that forbid mean that one as well.
  const named = /[*?]/.test(pattern) ? [wanted] : [wanted, `${wanted}/**`]
  const spelled = named.map((glob) => withoutRoot(glob).replaceAll(/[[\](){}!+@]/g, '\\$&'))
  const isSpelled = picomatch(spelled, options)
  const base = picomatch.scan(pattern).base
  const test = (path: string, strictly: boolean): boolean => {
    const slashed = withoutRoot(path.replaceAll('\\', '/'))
    const known = nocase ? slashed.normalize('NFC') : slashed
    return isMatch(known) || (strictly && isSpelled(known))
  }
  return {
    matches({ path, literal: written, root }, strictly) {
      const ways = strictly ? [path, written] : [path]
      if (absolute || (floating && strictly)) return ways.some((way) => test(way, strictly))
      return (
        root !== undefined && ways.some((way) => contains(root, way) && test(relative(root, way), strictly))
      )
    },
    reachesBelow({ path, root }) {
      if (floating) return true
      const start = absolute ? base : join(root ?? '/', base)
      return (absolute || root !== undefined) && (contains(start, path) || contains(path, start))
    },
  }
}

function withoutEdges(text: string): string {
  const pattern = text.replace(/^~(?=\/|$)/, () => homedir()).replace(/^(?:\.\/)+/, '')
  return pattern.length > 1 ? pattern.replace(/\/+$/, '') : pattern
}

function check(pattern: string): void {
  if (pattern === '' || pattern === '.') throw new Error('it has no pattern')
  if (pattern.startsWith('!')) throw new Error('a pattern can not be negated')
  if (pattern.split('/').includes('..'))
    throw new Error('a pattern can not climb with ..; use an absolute path')
  if (pattern.includes('\\')) throw new Error('paths in rules have slashes, not backslashes')
  if (/[\u0000-\u001f]/.test(pattern)) throw new Error('it has control characters')
  const fault = globFault(pattern)
  // A rule has no backslashes: what is said of them does not help.
  if (fault !== undefined) throw new Error(fault.replace(/; .*/s, '; ? stands for any one character'))
}

// So that an absolute path is matched like any other.
function withoutRoot(path: string): string {
  return path.replace(/^\/+/, '')
}
