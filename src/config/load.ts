// Reads the configuration files. zod and the parser are loaded only when there is one.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemCode } from '#json/thrown.ts'
import type { Configuration, Flags, ProjectFile } from './configuration.ts'
import { type Layer, merge } from './merge.ts'
import { readSettings } from './settings.ts'

export const FILE_NAME = 'config.jsonc'
export const PROJECT_FOLDER = '.deckhand'

export interface LoadInput {
  env: NodeJS.ProcessEnv
  /** Absolute directory of the session; without it no project's file is read. */
  cwd?: string
  flags?: Flags
}

/** Never rejects: what is wrong is named in `warnings`, with file and line, and is not used. */
export async function loadConfiguration({ env, cwd, flags = {} }: LoadInput): Promise<Configuration> {
  const settings = readSettings(env)
  const warnings = [...settings.warnings]
  const warn = (sentence: string): void => void (warnings.includes(sentence) || warnings.push(sentence))
  const own = join(settings.paths.config, FILE_NAME)
  hintAtOtherName(settings.paths.config, own, warn)
  const ownLayer = await readLayer(own, settings.paths.config, warn)
  const projectPath = cwd === undefined ? undefined : findProjectFile(cwd, own)
  const project =
    projectPath === undefined ? undefined : await readProject(projectPath, settings.paths.state, warn)
  const layers = [ownLayer, project].flatMap((read) => (read === undefined ? [] : [read.layer]))
  const sources = [...(ownLayer ? [own] : []), ...(project && projectPath ? [projectPath] : [])]
  const merged = merge({ settings, layers, flags, env, warn })
  return { ...merged, warnings, sources, ...(project && { project: project.project }) }
}

interface Read {
  layer: Layer
  bytes: Uint8Array
  broken: boolean
}

/** Undefined when there is no file. Of a file whose syntax is broken only what tightens is used. */
async function readLayer(
  file: string,
  base: string,
  warn: (sentence: string) => void,
): Promise<Read | undefined> {
  const bytes = readBytes(file, warn)
  if (bytes === undefined) return undefined
  const [{ readDocument }, { checkDocument }, { strictest }] = await Promise.all([
    import('./document.ts'),
    import('./check.ts'),
    import('./tighten.ts'),
  ])
  const document = readDocument(file, bytes)
  const { settings, problems, faultyProviders } = checkDocument(document)
  for (const problem of [...document.problems, ...problems]) warn(problem)
  if (document.broken) {
    warn(
      `${file}: only the rules that forbid and ask, and the sandbox, are used until it is repaired; some may be missing.`,
    )
  }
  const used = document.broken ? strictest(settings) : settings
  return { layer: { settings: used, base, faultyProviders }, bytes, broken: document.broken }
}

async function readProject(
  path: string,
  state: string,
  warn: (sentence: string) => void,
): Promise<{ layer: Layer; project: ProjectFile } | undefined> {
  const read = await readLayer(path, dirname(dirname(path)), warn)
  if (read === undefined) return undefined
  const [{ tightening, describeEffects }, { contentHash, isTrusted }, { below, hashWith, runFiles }] =
    await Promise.all([import('./tighten.ts'), import('./trust.ts'), import('./run-files.ts')])
  const { settings, base } = read.layer
  const files = below(base, runFiles(settings, base))
  const hash = hashWith(contentHash(read.bytes), files)
  const trusted = !read.broken && isTrusted(state, path, hash)
  const effects = describeEffects(read.layer.settings)
  const layer = trusted
    ? read.layer
    : { ...read.layer, settings: tightening(read.layer.settings), faultyProviders: {} }
  return { layer, project: { path, files, hash, trusted, effects } }
}

function readBytes(file: string, warn: (sentence: string) => void): Uint8Array | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    const code = systemCode(error) ?? String(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') warn(`${file}: it can't be read (${code}).`)
    return undefined
  }
}

/**
 * The nearest one from the directory up to the root of its repository; outside of a repository only the directory's.
 * The person's own file is nobody's project.
 */
function findProjectFile(cwd: string, own: string): string | undefined {
  return foldersOf(real(cwd))
    .map((folder) => join(folder, PROJECT_FOLDER, FILE_NAME))
    .find((file) => existsSync(file) && real(file) !== real(own))
}

function foldersOf(cwd: string): string[] {
  const folders = [cwd]
  for (let folder = cwd; !existsSync(join(folder, '.git')); folders.push(folder)) {
    if (dirname(folder) === folder) return [cwd]
    folder = dirname(folder)
  }
  return folders
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function hintAtOtherName(folder: string, own: string, warn: (sentence: string) => void): void {
  if (!existsSync(own) && existsSync(join(folder, 'config.json'))) {
    warn(`${join(folder, 'config.json')} is not read; call it ${FILE_NAME}.`)
  }
}
