// The start of the program: its chunks are loaded with the code that V8 made of them last time.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeDirectory } from '#config/code-directory.ts'
import { chunkLoader } from './chunks.ts'
import { CodeCache } from './code-cache.ts'
import { checksum, keptFilesIn } from './kept-files.ts'

/** Milliseconds between looks at whether there is more to be kept: an editor may kill the process. */
const KEEP_EVERY_MS = 60_000

/** Runs a chunk that lies beside this file. */
export function boot(name: string): void {
  const directory = directoryFor(process.env)
  const cache = new CodeCache(directory === undefined ? undefined : keptFilesIn(directory))
  // What answers with a line and ends is not worth keeping.
  if (!process.argv[2]?.startsWith('-')) {
    process.on('exit', () => cache.keep())
    setInterval(() => cache.keep(), KEEP_EVERY_MS).unref()
  }
  chunkLoader(dirname(fileURLToPath(import.meta.url)), cache)(name)
}

/** What `import()` is in a chunk: V8 can't be given the code of a script with imports of its own. */
export function importModule(specifier: string): Promise<unknown> {
  return import(specifier)
}

/** Code is of no use to another Node, nor under other options: V8 would refuse it, and each process replace it. */
function directoryFor(env: NodeJS.ProcessEnv): string | undefined {
  const base = codeDirectory(env)
  // Coverage wants code that knows where its blocks begin.
  if (base === undefined || env['NODE_V8_COVERAGE']) return undefined
  const options = [...process.execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').trim()
  const suffix = options === '' ? '' : `-${checksum(Buffer.from(options)).toString(16)}`
  return join(base, `code-${process.version}-${process.platform}-${process.arch}${suffix}`)
}
