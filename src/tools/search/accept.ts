// Globs over paths: `*.ts` anywhere below the root, `src/**/*.ts` from the root; hidden names match.
import { isAbsolute, relative } from 'node:path'
import picomatch from 'picomatch'

/**
 * Decides about paths as the search gives them. `root` and `resolve` make them relative to where it looked.
 * A path that is spelled exactly as the pattern matches too, so that `app/[id]/page.tsx` finds that file.
 */
export function acceptGlob(
  pattern: string,
  { root, resolve }: { root: string; resolve(path: string): string },
): (path: string) => boolean {
  const plain = pattern.replace(/^\.\//, '')
  const anchored = isAbsolute(plain) || plain.includes('/')
  const matches = picomatch(anchored ? plain : `**/${plain}`, { dot: true })
  return (path) => {
    const absolute = resolve(path)
    const subject = posix(isAbsolute(plain) ? absolute : relative(root, absolute) || path)
    return subject === plain || matches(subject)
  }
}

function posix(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}
