// Plugin files: a path becomes a module, and the module is run.
import { access } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { isAbsolute } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
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
    return { ok: false, name: path, message: `plugin ${placed(path, thrown)}: ${thrownMessage(thrown)}` }
  }
  return runPlugin(path, module, scope)
}

/** The plugin's path, with the line where the error tells it; of another file its place behind it. Total. */
function placed(path: string, thrown: unknown): string {
  try {
    const place = placeIn(thrown instanceof Error ? (thrown.stack ?? '') : '', path)
    if (place === undefined) return path
    return place.file === path ? `${path}:${place.line}` : `${path}: ${place.file}:${place.line}`
  } catch {
    return path
  }
}

/** Node puts the place of a syntax error before everything else; what ran has a frame. */
function placeIn(stack: string, path: string): { file: string; line: string } | undefined {
  const { file = '', line = '' } = /^(?<file>.+):(?<line>\d+)\r?\n/.exec(stack)?.groups ?? {}
  if (file.startsWith('file:')) return { file: fileURLToPath(file), line }
  if (isAbsolute(file)) return { file, line }
  const [, behind = ''] = stack.split(`${pathToFileURL(path).href}:`, 2)
  const frame = /^\d+/.exec(behind)?.[0]
  return frame === undefined ? undefined : { file: path, line: frame }
}
