// Plugin files: a path becomes a module, and the module is run.
import { access } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { thrownMessage } from '#json/thrown.ts'
import { type PluginOutcome, runPlugin } from './plugin.ts'
import type { Scope } from './scope.ts'

/** What a plugin may import of this package, wherever the plugin lies and whatever is installed there. */
const FACES: Readonly<Record<string, string>> = { deckhand: 'index', 'deckhand/testing': 'testing' }

let facesAreHere = false

/** One library for the host and all plugins: an error class of another copy would be another class. */
function provideFaces(): void {
  if (facesAreHere) return
  facesAreHere = true
  registerHooks({
    resolve(specifier, context, next) {
      const face = Object.hasOwn(FACES, specifier) ? FACES[specifier] : undefined
      return face === undefined ? next(specifier, context) : { url: faceUrl(face), shortCircuit: true }
    },
  })
}

/** Beside this file in the bundle, one folder up in the sources. */
function faceUrl(face: string): string {
  const path = import.meta.url.endsWith('.ts') ? `../${face}.ts` : `./${face}.js`
  return new URL(path, import.meta.url).href
}

/** Imports a plugin by its absolute path (`.mjs`, `.js`, or `.mts`, `.ts` that Node can strip) and runs it. Never rejects. */
export async function loadPlugin(path: string, scope: Scope): Promise<PluginOutcome> {
  let module: unknown
  try {
    await access(path)
  } catch {
    return { ok: false, name: path, message: `plugin ${path}: there is no such file, or it can't be read` }
  }
  try {
    provideFaces()
    module = await import(pathToFileURL(path).href)
  } catch (thrown) {
    return { ok: false, name: path, message: `plugin ${path}: ${thrownMessage(thrown)}` }
  }
  return runPlugin(path, module, scope)
}
