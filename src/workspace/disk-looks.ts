// Looks at the disk: what is at a path, and where its bytes are. Each goes through another thread, since a network disk
// that hangs must not stop everything; what lies in a directory that has answered a moment ago is looked at without.
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from 'node:fs'
import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { systemCode } from '#json/thrown.ts'

/** Milliseconds for which a directory that has answered is taken to answer at once again: ten times as fast. */
const MOMENT_MS = 50
const MOST_DIRECTORIES = 256
const LONGEST_CHAIN = 40

/** Rejects with the system's errors. */
export class DiskLooks {
  /** Until when directories are taken to answer. */
  readonly #answering = new Map<string, number>()

  /** Links are followed; `undefined` when nothing is there. */
  async stat(path: string): Promise<Stats | undefined> {
    const now = this.#entryNow(path)
    if (now !== undefined) return now === 'nothing' ? undefined : now
    const found = await stat(path).catch(undefinedIfMissing)
    this.#answered(path)
    return found
  }

  /** Where the bytes of `path` live or would be created: links resolved, dangling ones included. */
  async realPath(path: string): Promise<string> {
    return this.#realPathNow(path) ?? this.#resolve(path, 0)
  }

  async #resolve(path: string, links: number): Promise<string> {
    // A chain of dangling links that is too long fails as missing.
    const found = await (links > LONGEST_CHAIN ? realpath(path) : realpath(path).catch(undefinedIfMissing))
    this.#answered(path)
    if (found !== undefined) return found
    const link = await lstat(path).catch(() => undefined)
    if (link?.isSymbolicLink()) return this.#resolve(resolve(dirname(path), await readlink(path)), links + 1)
    const parent = dirname(path)
    return parent === path ? path : join(await this.#resolve(parent, links), basename(path))
  }

  #realPathNow(path: string): string | undefined {
    const found = this.#entryNow(path)
    if (found === undefined) return undefined
    if (found !== 'nothing') return trying(() => realpathSync.native(path))
    const parent = this.#realPathNow(dirname(path))
    return parent === undefined ? undefined : join(parent, basename(path))
  }

  /** `undefined` where that takes waiting: in a directory that has not answered lately, and for links. */
  #entryNow(path: string): Stats | 'nothing' | undefined {
    const until = this.#answering.get(dirname(path))
    if (until === undefined || until < performance.now()) return undefined
    const found = trying(() => lstatSync(path, { throwIfNoEntry: false }) ?? 'nothing')
    this.#answered(path)
    return found !== 'nothing' && found?.isSymbolicLink() ? undefined : found
  }

  /** Somebody has asked what is at the path, and was told. */
  #answered(path: string): void {
    if (this.#answering.size >= MOST_DIRECTORIES) this.#answering.clear()
    const until = performance.now() + MOMENT_MS
    this.#answering.set(dirname(path), until).set(path, until)
  }
}

/**
 * `realPath` without waiting, for the few paths that every call is compared with. Blocks as long as the disk does, and
 * throws the system's errors.
 */
export function realPathNow(path: string, links = 0): string {
  const there = statSync(path, { throwIfNoEntry: false }) !== undefined
  if (there || links > LONGEST_CHAIN) return realpathSync.native(path)
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link?.isSymbolicLink()) return realPathNow(resolve(dirname(path), readlinkSync(path)), links + 1)
  const parent = dirname(path)
  return parent === path ? path : join(realPathNow(parent, links), basename(path))
}

function undefinedIfMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
}

/** Whatever goes wrong is found out, and told, by those who wait. */
function trying<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
