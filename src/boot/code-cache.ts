// The code that V8 has made of a script, kept for the next process. Node's own cache keeps it as it is before anything
// has run, when most functions are not compiled yet; here it is taken when the process has done its work.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'

/** The function that a chunk is the body of, as Node's own loader calls it. */
type Run = (exports: unknown, require: unknown, module: unknown, filename: string, dirname: string) => void

const HEAD = '(function (exports, require, module, __filename, __dirname) {'
const TAIL = '\n})'

/** Four numbers of 32 bits before the code: this, the checksums of the source and of the code, and the work. */
const FORMAT = 0x646b6331
const HEADER = 16
const WORK_AT = 12

/** Days after which a file that nobody has written again goes. */
const MOST_DAYS = 60

interface Kept {
  code: Buffer
  /** Milliseconds of computing that the process had done from which the code is. */
  work: number
}

interface Compiled {
  script: Script
  path: string
  source: number
  kept: { length: number; work: number } | undefined
}

export class CodeCache {
  readonly #directory: string | undefined
  readonly #compiled: Compiled[] = []

  /** `directory` is made when something is kept; without one nothing is. */
  constructor(directory: string | undefined) {
    this.#directory = directory
  }

  /** The source is ASCII alone. Throws what its syntax is wrong in. */
  compile(path: string, bytes: Buffer): Run {
    const source = checksum(bytes)
    const kept = this.#read(path, source)
    const script = new Script(HEAD + bytes.toString('latin1') + TAIL, {
      filename: path,
      columnOffset: -HEAD.length,
      cachedData: kept?.code,
    })
    const used = script.cachedDataRejected ? undefined : kept
    this.#compiled.push({
      script,
      path,
      source,
      kept: used && { length: used.code.length, work: used.work },
    })
    return script.runInThisContext() as Run
  }

  /**
   * Keeps the code as it is now, where there is none yet, and where this process has worked at least twice as long as
   * the one that it comes from: more of it has run. Never throws.
   */
  keep(): void {
    const work = Math.round(process.cpuUsage().user / 1000)
    for (const compiled of this.#compiled) {
      if (compiled.kept !== undefined && work < 2 * compiled.kept.work) continue
      try {
        this.#write(compiled, work)
      } catch {
        // A full disk, or a directory that is gone: the next process starts as slowly as this one.
      }
    }
  }

  #read(path: string, source: number): Kept | undefined {
    if (this.#directory === undefined) return undefined
    try {
      const bytes = readFileSync(this.#fileOf(path))
      const code = bytes.subarray(HEADER)
      const whole =
        bytes.length > HEADER &&
        bytes.readUInt32LE(0) === FORMAT &&
        bytes.readUInt32LE(4) === source &&
        bytes.readUInt32LE(8) === checksum(code)
      return whole ? { code, work: bytes.readUInt32LE(WORK_AT) } : undefined
    } catch {
      return undefined
    }
  }

  #write({ script, path, source, kept }: Compiled, work: number): void {
    if (this.#directory === undefined || !made(this.#directory)) return
    const file = this.#fileOf(path)
    const code = script.createCachedData()
    const header = Buffer.alloc(HEADER)
    for (const [at, value] of [FORMAT, source, checksum(code), work].entries())
      header.writeUInt32LE(value, 4 * at)
    // V8 gives up code that has not run for long: what is longer has more of it.
    if (kept !== undefined && code.length <= kept.length) return noteWork(file, header)
    writeFileSync(`${file}.${process.pid}`, Buffer.concat([header, code]), { mode: 0o600 })
    renameSync(`${file}.${process.pid}`, file)
    if (kept === undefined) removeOld(this.#directory)
  }

  #fileOf(path: string): string {
    return join(this.#directory ?? '', `${basename(path)}.bin`)
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

function noteWork(file: string, header: Buffer): void {
  const opened = openSync(file, 'r+')
  try {
    writeSync(opened, header, WORK_AT, HEADER - WORK_AT, WORK_AT)
  } finally {
    closeSync(opened)
  }
}

/** Code of versions that nobody starts any more. */
function removeOld(directory: string): void {
  const oldest = Date.now() - MOST_DAYS * 24 * 3600 * 1000
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if (statSync(path).mtimeMs < oldest) rmSync(path, { force: true })
  }
}

/** Loaded when it is needed first. */
function checksum(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes)
}
