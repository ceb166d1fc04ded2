// Links in a prompt: a reference that the model can open.
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { displayPath } from '#bridge/cards/path.ts'

/** A sentence for the model: the path (decoded, relative to `cwd` where inside), its lines or symbol; or name and URI. */
export function linkText(uri: string, name: string, cwd: string): string {
  const file = fileOf(uri)
  if (!file) return `[link ${JSON.stringify(name)}: ${uri}]`
  const short = displayPath(file.path, { cwd, roots: [] })
  const noun = /[\\/]$/.test(file.path) ? 'directory' : 'file'
  const where = short === file.path ? '' : ` (${file.path})`
  return `[${[`${noun} ${short}${where}`, file.lines, file.symbol].filter(Boolean).join(', ')}]`
}

/** The path that a `file:` URI, or a bare absolute path, names; undefined for other schemes. */
export function fileOf(uri: string): { path: string; lines?: string; symbol?: string } | undefined {
  if (isAbsolute(uri)) return { path: uri }
  try {
    const url = new URL(uri)
    if (url.protocol !== 'file:') return undefined
    const lines = /^#L(\d+)(?:[:-]L?(\d+))?$/.exec(url.hash)
    const symbol = url.searchParams.get('symbol')
    return {
      path: fileURLToPath(new URL(url.pathname, 'file:')),
      ...(lines && { lines: lines[2] ? `lines ${lines[1]}-${lines[2]}` : `line ${lines[1]}` }),
      ...(symbol && { symbol: `symbol ${symbol}` }),
    }
  } catch {
    return undefined
  }
}
