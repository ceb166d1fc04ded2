// Whether a path is inside a directory.
import { isAbsolute, relative, sep } from 'node:path'

/** True for the directory itself too. By path segment: `/w2` is not inside `/w`, and `..cache` is no way out. */
export function contains(directory: string, path: string): boolean {
  // Most often it is plain to see.
  if (path === directory) return true
  const way = relative(directory, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
