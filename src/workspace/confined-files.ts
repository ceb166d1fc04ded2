// Confined files: nothing is changed outside of the places that are allowed, whatever links are put in the way meanwhile.
import { basename, dirname, join } from 'node:path'
import type { FileSystem } from './file-system.ts'

/** A change was about to land where it was not allowed. */
export class ConfinedError extends Error {
  override readonly name = 'ConfinedError'
  readonly code = 'EACCES'

  constructor(path: string) {
    super(`${path} is outside of what was allowed; nothing was changed`)
  }
}

/**
 * Resolves links once more just before a change, asks `allows` about the real path, and acts on that path: a link that
 * is turned elsewhere in between leads nowhere.
 */
export function confineChanges(
  files: FileSystem,
  allows: (realPath: string) => Promise<boolean>,
): FileSystem {
  const checked = async (realPath: string): Promise<string> => {
    if (await allows(realPath)) return realPath
    throw new ConfinedError(realPath)
  }
  const entry = async (path: string): Promise<string> =>
    checked(join(await files.realPath(dirname(path)), basename(path)))
  return {
    ...files,
    write: async (path, bytes) => files.write(await checked(await files.realPath(path)), bytes),
    remove: async (path, recursive) => files.remove(await entry(path), recursive),
    move: async (from, to) => files.move(await entry(from), await entry(to)),
  }
}
