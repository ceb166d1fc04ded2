// Plugin files: a path becomes a module, and the module is run.
import { access } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { thrownMessage } from '#json/thrown.ts'
import { type PluginOutcome, runPlugin } from './plugin.ts'
import type { Scope } from './scope.ts'

/** Imports a plugin by its absolute path (`.js`, `.mjs`, or `.ts` that Node can strip) and runs it. Never rejects. */
export async function loadPlugin(path: string, scope: Scope): Promise<PluginOutcome> {
  let module: unknown
  try {
    await access(path)
  } catch {
    return { ok: false, name: path, message: `plugin ${path}: there is no such file, or it can't be read` }
  }
  try {
    module = await import(pathToFileURL(path).href)
  } catch (thrown) {
    return { ok: false, name: path, message: `plugin ${path}: ${thrownMessage(thrown)}` }
  }
  return runPlugin(path, module, scope)
}
