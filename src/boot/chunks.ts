// The chunks of the bundle: CommonJS, so that V8 can be asked for their code after they have run (code-cache.ts).
import { readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { join } from 'node:path'
import type { CodeCache } from './code-cache.ts'
import { late } from './late.ts'

/** A quarter of the time in which a session opens. */
const LATE: ReadonlySet<string> = new Set(['node:crypto', 'node:worker_threads'])

const CHUNK = /^\.\/([\w-]+\.cjs)$/

/** Gives the exports of a chunk of `directory` by its name. Node sees it as loaded: plug-ins share its classes. */
export function chunkLoader(directory: string, cache: CodeCache): (name: string) => unknown {
  const require = createRequire(join(directory, 'boot.cjs'))
  const load = (name: string): unknown => {
    const path = join(directory, name)
    const known = require.cache[path]
    if (known !== undefined) return known.exports
    const module = Object.assign(new Module(path), { filename: path })
    require.cache[path] = module
    try {
      const run = cache.compile(path, readFileSync(path))
      run(module.exports, requireFrom, module, path, directory)
      module.loaded = true
    } catch (error) {
      delete require.cache[path]
      throw error
    }
    return module.exports
  }
  const requireFrom = Object.assign((id: string): unknown => {
    const name = CHUNK.exec(id)?.[1]
    if (name !== undefined) return load(name)
    return LATE.has(id) ? late(() => require(id) as object) : require(id)
  }, require)
  return load
}
