// Confined files: nothing is changed outside of the places that are allowed, whatever links are put in the way meanwhile.
import { basename, dirname, join } from 'node:path'
import { writeAtomically } from './atomic-write.ts'
import type { FileSystem } from './file-system.ts'
import { inDirectory } from './held-directory.ts'
import { moveEntry, removeEntry } from './removal.ts'

/** A change was about to land where it was not allowed. */
export class ConfinedError extends Error {
  override readonly name = 'ConfinedError'
  readonly code = 'EACCES'

  constructor(path: string) {
    super(`${path} is outside of what was allowed; nothing was changed`)
  }
}

/**
 * The disk: resolves links once more just before a change, asks `allows` about the real path, and acts in the directory
 * that this one names then: a link that is turned elsewhere in between leads nowhere.
 */
export function confineChanges(disk: FileSystem, allows: (realPath: string) => Promise<boolean>): FileSystem {
  const checked = async (realPath: string): Promise<string> => {
    if (await allows(realPath)) return realPath
    throw new ConfinedError(realPath)
  }
  const entry = async (path: string): Promise<string> =>
    checked(join(await disk.realPath(dirname(path)), basename(path)))
  return {
    ...disk,
    write: async (path, bytes) => {
      const real = await checked(await disk.realPath(path))
      await inParent(real, true, (held) => writeAtomically(held, bytes))
      return undefined
    },
    remove: async (path, recursive) =>
      inParent(await entry(path), false, (held) => removeEntry(held, recursive)),
    move: async (from, to) => {
      const [source, target] = [await entry(from), await entry(to)]
      await inParent(source, false, (held) => inParent(target, true, (place) => moveEntry(held, place)))
    },
  }
}

/** `work` gets a path of the entry that leads through the directory that it stands in now. */
function inParent<T>(path: string, make: boolean, work: (held: string) => Promise<T>): Promise<T> {
  return inDirectory(dirname(path), make, (held) => work(join(held, basename(path))))
}
