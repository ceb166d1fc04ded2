// The files of the code cache. Code of them is run: they count only in a directory of the person's own, and whole.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Four numbers of 32 bits before the code: this, the checksums of the source and of the code, and the work. */
const FORMAT = 0x646b6331
const HEADER = 16
const WORK_AT = 12
const LARGEST = 64 * 1024 * 1024

const DAY_MS = 24 * 3600 * 1000
/** After which a file that nobody has written again goes. */
const MOST_MS = 60 * DAY_MS
/** The same for what a process has left behind that was killed while it wrote. */
const MOST_UNFINISHED_MS = DAY_MS

export interface Kept {
  code: Buffer
  /** Milliseconds of computing that the process had done from which the code is. */
  work: number
}

/** None where another user could fill the directory. */
export function keptFilesIn(directory: string): KeptFiles | undefined {
  return isOwn(directory) ? new KeptFiles(directory) : undefined
}

export class KeptFiles {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Makes the directory; false where that can't be. */
  ready(): boolean {
    return made(this.#directory)
  }

  read(name: string, source: number): Kept | undefined {
    try {
      const file = this.#fileOf(name)
      const found = statSync(file, { throwIfNoEntry: false })
      if (!found?.isFile() || found.size <= HEADER || found.size > LARGEST) return undefined
      const bytes = readFileSync(file)
      const code = bytes.subarray(HEADER)
      const whole =
        bytes.readUInt32LE(0) === FORMAT &&
        bytes.readUInt32LE(4) === source &&
        bytes.readUInt32LE(8) === checksum(code)
      return whole ? { code, work: bytes.readUInt32LE(WORK_AT) } : undefined
    } catch {
      return undefined
    }
  }

  /** Throws the system's errors. */
  write(name: string, source: number, { code, work }: Kept): void {
    const header = Buffer.alloc(HEADER)
    for (const [at, value] of [FORMAT, source, checksum(code), work].entries())
      header.writeUInt32LE(value, 4 * at)
    const unfinished = `${this.#fileOf(name)}.${process.pid}`
    try {
      writeFileSync(unfinished, Buffer.concat([header, code]), { mode: 0o600 })
      renameSync(unfinished, this.#fileOf(name))
    } catch (error) {
      rmSync(unfinished, { force: true })
      throw error
    }
  }

  /**
   * Notes that a process which has done so much work had no more code; false where the file is gone. Throws the
   * system's errors.
   */
  note(name: string, work: number): boolean {
    if (!existsSync(this.#fileOf(name))) return false
    const number = Buffer.alloc(4)
    number.writeUInt32LE(work)
    const file = openSync(this.#fileOf(name), 'r+')
    try {
      writeSync(file, number, 0, number.length, WORK_AT)
    } finally {
      closeSync(file)
    }
    return true
  }

  /** Removes what belongs to versions that nobody starts any more, of Node too. */
  removeOld(): void {
    const parent = dirname(this.#directory)
    for (const folder of readdirSync(parent).filter((name) => name.startsWith('code-'))) {
      trying(() => {
        for (const name of readdirSync(join(parent, folder)))
          trying(() => removeIfOld(join(parent, folder, name)))
        // Fails where something is left.
        rmdirSync(join(parent, folder))
      })
    }
  }

  #fileOf(name: string): string {
    return join(this.#directory, `${name}.bin`)
  }
}

/** Loaded when it is needed first. */
export function checksum(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes)
}

/** False for a directory that another user could fill; one that is not there yet will be ours. */
function isOwn(directory: string): boolean {
  if (process.getuid === undefined) return true
  try {
    const found = statSync(directory, { throwIfNoEntry: false })
    return found === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
  } catch {
    return false
  }
}

/** Whether it is there now. Made one by one: Node's own way goes round for ever where a parent takes no entries. */
function made(directory: string): boolean {
  if (existsSync(directory)) return true
  try {
    if (!made(dirname(directory))) return false
    mkdirSync(directory, { mode: 0o700 })
  } catch {
    // Another process may have been faster.
  }
  return existsSync(directory)
}

function removeIfOld(file: string): void {
  const most = file.endsWith('.bin') ? MOST_MS : MOST_UNFINISHED_MS
  if (statSync(file).mtimeMs < Date.now() - most) rmSync(file, { force: true })
}

function trying(work: () => void): void {
  try {
    work()
  } catch {
    // Somebody else removes it, or nobody can.
  }
}
