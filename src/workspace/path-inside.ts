// Whether a path is inside a directory.
import { isAbsolute, relative, sep } from 'node:path'

/** True for the directory itself too. By path segment: `/w2` is not inside `/w`, and `..cache` is no way out. */
export function contains(directory: string, path: string): boolean {
  if (path === directory) return true
  if (isPlain(directory) && isPlain(path)) return path.startsWith(directory) && path[directory.length] === '/'
  const way = relative(directory, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** Absolute, without empty segments and without `.` and `..`, where `/` alone separates: such paths compare as texts. */
function isPlain(path: string): boolean {
  return sep === '/' && path.startsWith('/') && !/\/(?:\.{0,2})(?:\/|$)/.test(path)
}
