// Globs over paths: `*.ts` anywhere below the root, `src/**/*.ts` from the root; hidden names match.
import { isAbsolute, relative, sep } from 'node:path'
import picomatch from 'picomatch'

/**
 * Decides about paths as the search gives them: those below a root begin with it as it was spelled. `root` and
 * `resolve` help where that tells nothing. A path that is spelled exactly as the pattern matches too, so that
 * `app/[id]/page.tsx` finds that file.
 */
export function acceptGlob(
  pattern: string,
  { root, spelled, resolve }: { root: string; spelled: string; resolve(path: string): string },
): (path: string) => boolean {
  const plain = pattern.replace(/^\.\//, '')
  const anchored = isAbsolute(plain) || plain.includes('/')
  const matches = picomatch(anchored ? plain : `**/${plain}`, { dot: true })
  const prefix = prefixOf(spelled)
  const below = (path: string): string =>
    path.startsWith(prefix) ? path.slice(prefix.length) : relative(root, resolve(path)) || path
  return (path) => {
    const subject = posix(isAbsolute(plain) ? resolve(path) : below(path))
    return subject === plain || matches(subject)
  }
}

/** How paths below a root begin. */
function prefixOf(spelled: string): string {
  const path = spelled.replace(/^\.(?:[\\/]+|$)/, '')
  if (path === '' || path.includes('..') || path.includes('./')) return path === '' ? '' : '\0'
  return /[\\/]$/.test(path) ? path : `${path}${sep}`
}

function posix(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}
