// A home and a project in a temporary directory, with configuration files as given.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Configuration, Flags } from '#config/configuration.ts'
import { loadConfiguration } from '#config/load.ts'

export interface Home extends AsyncDisposable {
  /** Where the person's file and the state are. */
  state: string
  own: string
  project: string
  projectFile: string
  write(path: string, content: string | Uint8Array): Promise<void>
  load(env?: NodeJS.ProcessEnv, flags?: Flags): Promise<Configuration>
}

/** `own` and `project` are the contents of the files; a value that is no text is written as JSON. */
export async function home(own?: unknown, project?: unknown): Promise<Home> {
  const root = realpathSync(await mkdtemp(join(tmpdir(), 'deckhand-config-')))
  const state = join(root, 'home')
  const folder = join(root, 'project')
  const projectFile = join(folder, '.deckhand', 'config.jsonc')
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  const ownFile = join(state, 'config.jsonc')
  await mkdir(folder, { recursive: true })
  if (own !== undefined) await write(ownFile, asText(own))
  if (project !== undefined) await write(projectFile, asText(project))
  return {
    state,
    own: ownFile,
    project: folder,
    projectFile,
    write,
    load: (env = {}, flags = {}) =>
      loadConfiguration({ env: { DECKHAND_HOME: state, ...env }, cwd: folder, flags }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

function asText(content: unknown): string | Uint8Array {
  return typeof content === 'string' || content instanceof Uint8Array
    ? content
    : JSON.stringify(content, null, 2)
}
