// Places of paths in a command line: as the system follows them, wildcards included.
import { readdir } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { Place, Places } from './places.ts'
import { matchToken } from './shell/tokens.ts'

const MOST = 2000

/**
 * `directory` is the real path of where the command runs; `*` is a wildcard when `glob`. Undefined when it can't be
 * told what the path names. Never rejects.
 */
export async function judgeShellPath(
  path: string,
  glob: boolean,
  directory: string,
  places: Places,
): Promise<Place[] | undefined> {
  if (climbsBack(path)) return undefined
  const paths = glob ? await expand(path, directory) : [path]
  if (paths === undefined) return undefined
  return Promise.all(paths.map((found) => places.judge(found, directory)))
}

/** `link/..` is not where the link stands, but the parent of where it leads. */
function climbsBack(path: string): boolean {
  const names = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  return names.some((segment, index) => segment === '..' && index > 0 && names[index - 1] !== '..')
}

// Hidden names and everything that brackets might exclude are counted in.
async function expand(pattern: string, directory: string): Promise<string[] | undefined> {
  let found = [isAbsolute(pattern) ? '' : directory]
  for (const segment of pattern.split('/').filter(Boolean)) {
    const next = await Promise.all(found.map((path) => matching(path, segment)))
    found = next.flat()
    if (found.length > MOST) return undefined
  }
  // Without a match the shell passes the pattern on as it is.
  return found.length > 0 ? found : [pattern]
}

async function matching(path: string, segment: string): Promise<string[]> {
  if (!segment.includes('*')) return [`${path}/${segment}`]
  const names = await readdir(path === '' ? '/' : path).catch((): string[] => [])
  return names.filter((name) => matchToken(segment, name)).map((name) => `${path}/${name}`)
}
