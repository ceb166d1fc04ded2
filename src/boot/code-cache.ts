// The code that V8 has made of a script, kept for the next process. Node's own cache keeps it as it is before anything
// has run, when most functions are not compiled yet; here it is taken when the process has done some work.
import { basename } from 'node:path'
import { Script } from 'node:vm'
import { checksum, type KeptFiles } from './kept-files.ts'

/** The function that a chunk is the body of, as Node's own loader calls it. */
type Run = (exports: unknown, require: unknown, module: unknown, filename: string, dirname: string) => void

const HEAD = '(function (exports, require, module, __filename, __dirname) {'
const TAIL = '\n})'

/** Milliseconds of computing beyond which a process is not told to have done less than the one before it. */
const MUCH_WORK = 2000

interface Compiled {
  readonly script: Script
  readonly name: string
  readonly source: number
  /** Bytes of the code that is kept; 0 where none is. */
  kept: number
}

export class CodeCache {
  readonly #files: KeptFiles | undefined
  readonly #compiled: Compiled[] = []
  /** Computing that went before the code that is kept, in milliseconds; of this process once it has kept any. */
  #work = 0

  /** Without files nothing is kept. */
  constructor(files: KeptFiles | undefined) {
    this.#files = files
  }

  /** The source is ASCII alone. Throws what its syntax is wrong in. */
  compile(path: string, bytes: Buffer): Run {
    const source = checksum(bytes)
    // Versions that are used in turn keep their code side by side.
    const name = `${basename(path, '.cjs')}-${source.toString(16).padStart(8, '0')}`
    const kept = this.#files?.read(name, source)
    const script = new Script(HEAD + bytes.toString('latin1') + TAIL, {
      filename: path,
      columnOffset: -HEAD.length,
      cachedData: kept?.code,
    })
    const used = script.cachedDataRejected ? undefined : kept
    this.#work = Math.max(this.#work, Math.min(used?.work ?? 0, MUCH_WORK))
    this.#compiled.push({ script, name, source, kept: used?.code.length ?? 0 })
    return script.runInThisContext() as Run
  }

  /**
   * Keeps the code as it is now where this process has done more than those before it: it has loaded what they have not,
   * or worked twice as long. What is longer stays: V8 gives up code that has not run for long. Never throws.
   */
  keep(): void {
    const files = this.#files
    const work = Math.round(process.cpuUsage().user / 1000)
    const isNew = this.#compiled.some(({ kept }) => kept === 0)
    if (files === undefined || (!isNew && work < 2 * this.#work)) return
    this.#work = work
    if (!files.ready()) return
    try {
      for (const compiled of this.#compiled) {
        const { name, source, script, kept } = compiled
        const code = script.createCachedData()
        if (code.length > kept || !files.note(name, work)) files.write(name, source, { code, work })
        compiled.kept = Math.max(kept, code.length)
      }
      files.removeOld()
    } catch {
      // A full disk, or a directory that is gone: the next process starts as slowly as this one.
    }
  }
}
