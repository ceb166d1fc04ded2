// The start of the program: its chunks are loaded with the code that V8 made of them last time.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chunkLoader } from './chunks.ts'
import { CodeCache } from './code-cache.ts'

/** Milliseconds from the start until the code is kept, should the process not end before: an editor may kill it. */
const KEEP_AFTER_MS = 60_000

/** Runs a chunk that lies beside this file. */
export function boot(name: string): void {
  const cache = new CodeCache(codeDirectory(process.env))
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

/** The person's own, as code is run from it: the temporary directory belongs to all, and is emptied. */
function codeDirectory(env: NodeJS.ProcessEnv): string | undefined {
  if (env['NODE_DISABLE_COMPILE_CACHE']) return undefined
  const base = env['NODE_COMPILE_CACHE'] || cacheDirectory(env)
  return base && join(base, `code-${process.version}-${process.platform}-${process.arch}`)
}

function cacheDirectory({ LOCALAPPDATA, XDG_CACHE_HOME, HOME }: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'win32') return LOCALAPPDATA && join(LOCALAPPDATA, 'deckhand', 'Cache')
  if (XDG_CACHE_HOME?.startsWith('/')) return join(XDG_CACHE_HOME, 'deckhand')
  if (!HOME?.startsWith('/')) return undefined
  return join(HOME, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'deckhand')
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}
