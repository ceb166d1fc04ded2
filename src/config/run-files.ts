// The files that a configuration has run: whoever can change one of them is as powerful as the configuration.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { isJsonObject, type JsonObject } from '#json/value.ts'
import { contentHash } from './trust.ts'

/** As a file, or all of them together, say it. */
export interface Runs {
  plugins?: readonly string[] | undefined
  /** Whatever an editor sent may be among them. */
  mcpServers?: Readonly<Record<string, unknown>> | undefined
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|bash|ps1|jar|wasm)$/i
/** Bytes of a file that is looked into; of a larger one its size and time stand for its content. */
const LOOKED_INTO = 16 * 1024 * 1024

/**
 * Absolute paths, in order: the plug-ins, and of what MCP servers are started with the programs that are named by a path
 * and the arguments that end like a script, where they are there. What all these load in turn is not known.
 */
export function runFiles({ plugins = [], mcpServers = {} }: Runs, base: string): string[] {
  const started = Object.values(mcpServers).flatMap((server) => {
    const { command, args, cwd }: JsonObject = isJsonObject(server) ? server : {}
    const programs = texts([command]).filter((name) => /[/\\]/.test(name))
    const scripts = texts(args).filter((arg) => SCRIPT.test(arg))
    return [...programs, ...scripts].map((path) => resolve(base, ...texts([cwd]), path))
  })
  const there = started.filter((path) => fileAt(path) !== undefined)
  return [...new Set([...plugins.map((path) => resolve(base, path)), ...there])]
}

function texts(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}

/** Those that lie in the folder or deeper. */
export function below(folder: string, files: readonly string[]): string[] {
  const start = folder.endsWith(sep) ? folder : folder + sep
  return files.filter((path) => path.startsWith(start))
}

/** The hash of a content and of those of the files; that of the content alone where there are none. */
export function hashWith(hash: string, files: readonly string[]): string {
  if (files.length === 0) return hash
  const all = createHash('sha256').update(hash)
  for (const path of files) all.update(`\0${path}\0`).update(contentOf(path))
  return all.digest('hex')
}

function contentOf(path: string): string {
  const found = fileAt(path)
  if (found === undefined) return 'none'
  if (found.size > LOOKED_INTO) return `${found.size} ${found.mtimeMs}`
  try {
    return contentHash(readFileSync(path))
  } catch {
    return 'unread'
  }
}

function fileAt(path: string) {
  try {
    const found = statSync(path)
    return found.isFile() ? found : undefined
  } catch {
    return undefined
  }
}
