// Globs over paths: `*.ts` anywhere below the root, `src/**/*.ts` from the root; hidden names match.
import { isAbsolute, join, relative, sep } from 'node:path'
import picomatch from 'picomatch'
import { globFault } from '#workspace/glob-fault.ts'
import { SearchPatternError } from '#workspace/search.ts'
import { cutUnits } from '#workspace/text.ts'
import type { Workspace } from '#workspace/workspace.ts'

const LONGEST_SHOWN = 200

/** Where a search begins: as it was spelled, and the absolute directory. */
interface SearchRoot {
  root: string
  spelled: string
}

/**
 * Decides about paths as the search gives them: those below a root begin with it as it was spelled. `root` and
 * the workspace help where that tells nothing. A path that is spelled exactly as the pattern matches too, so that
 * `app/[id]/page.tsx` finds that file. Rejects with `SearchPatternError` for a broken pattern that is no such path.
 */
export async function acceptGlob(
  workspace: Workspace,
  pattern: string,
  { root, spelled }: SearchRoot,
): Promise<(path: string) => boolean> {
  const plain = pattern.replace(/^\.\//, '')
  const fault = globFault(plain)
  if (fault !== undefined && !(await exists(workspace, isAbsolute(plain) ? plain : join(root, plain))))
    throw new SearchPatternError(`${JSON.stringify(cutUnits(pattern, LONGEST_SHOWN))}: ${fault}`)
  const anchored = isAbsolute(plain) || plain.includes('/')
  const matches =
    fault === undefined ? picomatch(anchored ? plain : `**/${plain}`, { dot: true }) : () => false
  const prefix = prefixOf(spelled)
  const resolve = (path: string): string => workspace.resolve(path)
  const below = (path: string): string =>
    path.startsWith(prefix) ? path.slice(prefix.length) : relative(root, resolve(path)) || path
  return (path) => {
    const subject = posix(isAbsolute(plain) ? resolve(path) : below(path))
    return subject === plain || matches(subject)
  }
}

async function exists(workspace: Workspace, path: string): Promise<boolean> {
  try {
    return (await workspace.files.stat(path)) !== undefined
  } catch {
    // What no path can be is not there.
    return false
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
