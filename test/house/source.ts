// Reads the source tree the way the house rules see it: files, lines, imports.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceFile {
  /** Relative to the package, with slashes. */
  path: string
  lines: number
  /** Targets of static and dynamic imports inside the package, as paths relative to the package. */
  imports: string[]
  /** Those of them that are still there when types are gone. */
  runtimeImports: string[]
}

const IMPORT = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g
const TYPE_IMPORT = /^(?:import|export) type [^'"]*from ['"][^'"]+['"]/gm

export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

export function sourceFiles(folder: string): SourceFile[] {
  return filesBelow(folder)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return {
        path,
        lines: text.split('\n').length - 1,
        imports: importsOf(path, text),
        runtimeImports: importsOf(path, text.replaceAll(TYPE_IMPORT, '')),
      }
    })
}

function importsOf(path: string, text: string): string[] {
  const folder = path.slice(0, path.lastIndexOf('/'))
  return [...text.matchAll(IMPORT)].flatMap(([, target = '']) => {
    if (target.startsWith('#')) return [`src/${target.slice(1)}`]
    return target.startsWith('.') ? [join(folder, target).replaceAll('\\', '/')] : []
  })
}

/** `src/bridge/cards/x.ts` → `bridge`; a file right below `src` is its own room. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? path
}
