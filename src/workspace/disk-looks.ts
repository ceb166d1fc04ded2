// Looks at the disk: what is at a path, and where its bytes are. A look goes through another thread, since a network disk
// that hangs must not stop everything; a path that has just answered at once is looked at again without, ten times as fast.
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { systemCode } from '#json/thrown.ts'

/** Milliseconds for which a path that has answered at once is taken to do so again. */
const MOMENT_MS = 50
/** Milliseconds that are at once: a disk that takes longer is waited for elsewhere. */
const AT_ONCE_MS = 5
const MOST_PATHS = 1024
const LONGEST_CHAIN = 40

/** Rejects with the system's errors. */
export class DiskLooks {
  /** Until when paths are taken to answer at once. */
  readonly #quick = new Map<string, number>()

  /** Links are followed; `undefined` when nothing is there. */
  stat(path: string): Promise<Stats | undefined> {
    return this.#look(path, statNow, (asked) => stat(asked).catch(undefinedIfMissing))
  }

  /** Where the bytes of `path` live or would be created: links resolved, dangling ones included. */
  realPath(path: string): Promise<string> {
    return this.#look(path, realPathNow, resolveLinks)
  }

  async #look<T>(path: string, now: (path: string) => T, later: (path: string) => Promise<T>): Promise<T> {
    const begin = performance.now()
    const quick = (this.#quick.get(path) ?? 0) > begin
    const found = quick ? now(path) : await later(path)
    const end = performance.now()
    if (this.#quick.size >= MOST_PATHS) this.#quick.clear()
    this.#quick.set(path, end - begin < AT_ONCE_MS ? end + MOMENT_MS : 0)
    return found
  }
}

async function resolveLinks(path: string, links = 0): Promise<string> {
  // A chain of dangling links that is too long fails as missing.
  const found = await (links > LONGEST_CHAIN ? realpath(path) : realpath(path).catch(undefinedIfMissing))
  if (found !== undefined) return found
  const link = await lstat(path).catch(() => undefined)
  if (link?.isSymbolicLink()) return resolveLinks(resolve(dirname(path), await readlink(path)), links + 1)
  const parent = dirname(path)
  return parent === path ? path : join(await resolveLinks(parent, links), basename(path))
}

/** `realPath` without waiting. Blocks as long as the disk does, and throws the system's errors. */
export function realPathNow(path: string, links = 0): string {
  if (statNow(path) !== undefined || links > LONGEST_CHAIN) return realpathSync.native(path)
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link?.isSymbolicLink()) return realPathNow(resolve(dirname(path), readlinkSync(path)), links + 1)
  const parent = dirname(path)
  return parent === path ? path : join(realPathNow(parent, links), basename(path))
}

function statNow(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

function undefinedIfMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
}
