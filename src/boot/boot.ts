// The start of the program: its chunks are loaded with the code that V8 made of them last time.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeDirectory } from '#config/code-directory.ts'
import { chunkLoader } from './chunks.ts'
import { CodeCache } from './code-cache.ts'

/** Milliseconds from the start until the code is kept, should the process not end before: an editor may kill it. */
const KEEP_AFTER_MS = 60_000

/** Runs a chunk that lies beside this file. */
export function boot(name: string): void {
  const cache = new CodeCache(directoryOf(codeDirectory(process.env)))
  const keep = once(() => cache.keep())
  // What answers with a line and ends is not worth keeping.
  if (!process.argv[2]?.startsWith('-')) {
    process.on('exit', keep)
    setTimeout(keep, KEEP_AFTER_MS).unref()
  }
  chunkLoader(dirname(fileURLToPath(import.meta.url)), cache)(name)
}

/** What `import()` is in a chunk: V8 can't be given the code of a script with imports of its own. */
export function importModule(specifier: string): Promise<unknown> {
  return import(specifier)
}

/** Another Node's code is of no use. */
function directoryOf(base: string | undefined): string | undefined {
  return base && join(base, `code-${process.version}-${process.platform}-${process.arch}`)
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}
