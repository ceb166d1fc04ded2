// Where configuration and state live.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'
import { codeDirectory } from './code-directory.ts'

export interface Paths {
  /** Absolute directory of the person's `config.jsonc`. */
  config: string
  /** Absolute directory of sessions and everything else that is written. */
  state: string
  /** Absolute directory of code that is kept between processes. */
  code?: string | undefined
}

/**
 * `DECKHAND_HOME` puts everything below one directory; a leading `~` and relative paths are resolved. Without it
 * the platform decides (XDG on Linux). Creates nothing.
 */
export function readPaths(env: NodeJS.ProcessEnv): Paths {
  const home = env['DECKHAND_HOME']?.trim()
  const code = codeDirectory(env)
  if (home) {
    const directory = resolve(home.replace(/^~(?=$|[/\\])/, homedir()))
    return { config: directory, state: directory, code }
  }
  const platform = envPaths('deckhand', { suffix: '' })
  return {
    config: platform.config,
    state: process.platform === 'linux' ? linuxState(env) : platform.data,
    code,
  }
}

/** The XDG state directory; relative values are invalid by that specification and ignored. */
function linuxState(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_STATE_HOME']
  return join(base?.startsWith('/') ? base : join(homedir(), '.local', 'state'), 'deckhand')
}
