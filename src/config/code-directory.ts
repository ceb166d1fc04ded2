// Where code that is run is kept between processes: as the person's own, and as a place that no tool may change unasked.
import { isAbsolute, join } from 'node:path'

/** Absolute; undefined where none is kept. The temporary directory belongs to all, and is emptied. */
export function codeDirectory(env: NodeJS.ProcessEnv): string | undefined {
  if (env['NODE_DISABLE_COMPILE_CACHE']) return undefined
  const own = env['NODE_COMPILE_CACHE']
  return own && isAbsolute(own) ? own : cacheDirectory(env)
}

function cacheDirectory({ LOCALAPPDATA, XDG_CACHE_HOME, HOME }: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === 'win32') return LOCALAPPDATA && join(LOCALAPPDATA, 'deckhand', 'Cache')
  if (XDG_CACHE_HOME?.startsWith('/')) return join(XDG_CACHE_HOME, 'deckhand')
  if (!HOME?.startsWith('/')) return undefined
  return join(HOME, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'deckhand')
}
