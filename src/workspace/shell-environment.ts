// The environment that commands run in: the person's own, without secrets and without what launched us.
import { delimiter, dirname } from 'node:path'

export type Environment = { [name: string]: string | undefined }

const SECRET = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i
const LAUNCHER = /^(?:DECKHAND_|npm_|ELECTRON_)|^NODE_(?:OPTIONS|CHANNEL_FD|CHANNEL_SERIALIZATION_MODE)$/i
/** What npm and npx add beside their `npm_*`. */
const NPM_EXTRAS = new Set(['NODE', 'INIT_CWD', 'COLOR'])
const NPM_PATH = /[\\/](?:_npx[\\/].*|node-gyp-bin)$/
const PLAIN = { NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' }

/**
 * `keep`: names that look secret and are passed on nevertheless. The directory of the running Node is appended
 * to `PATH`.
 */
export function commandEnvironment(own: Environment, keep: readonly string[] = []): Environment {
  const kept: Environment = {}
  const byNpm = own['npm_config_user_agent'] !== undefined || own['npm_execpath'] !== undefined
  for (const [name, value] of Object.entries(own)) {
    if (LAUNCHER.test(name) || (SECRET.test(name) && !keep.includes(name))) continue
    if (byNpm && NPM_EXTRAS.has(name)) continue
    kept[name] = value
  }
  const path = Object.keys(kept).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...kept, [path]: searchPath(kept[path] ?? '', byNpm), ...PLAIN }
}

function searchPath(own: string, byNpm: boolean): string {
  const entries = own.split(delimiter).filter((entry) => entry !== '' && !(byNpm && NPM_PATH.test(entry)))
  const node = dirname(process.execPath)
  return (entries.includes(node) ? entries : [...entries, node]).join(delimiter)
}
