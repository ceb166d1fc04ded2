// Search by ripgrep: the command lines, and its JSON lines read back.
import { rgPath } from '@vscode/ripgrep'
import { runCapped, type SearchRun } from './search-process.ts'
import { SearchPatternError, type LineHit, type LineSearch, type Search, type SearchScope } from './search.ts'

/** `cwd`: what relative paths are relative to. */
export function createRipgrep(cwd: string): Search {
  return {
    async files(scope, onPath) {
      const args = [
        ...commonArguments(scope),
        '--files',
        '--null',
        '--sortr=modified',
        '--',
        explicit(scope.path),
      ]
      const run = await runCapped(
        { file: rgPath, args, cwd, separator: '\0', signal: scope.signal },
        (bytes) => {
          onPath(relative(bytes.toString('utf8')))
        },
      )
      return finish(run)
    },
    async lines(search, onHit) {
      const read = hitReader(search, onHit)
      const args = [...commonArguments(search), ...lineArguments(search), '--', explicit(search.path)]
      return finish(
        await runCapped({ file: rgPath, args, cwd, separator: '\n', signal: search.signal }, read),
      )
    },
  }
}

function commonArguments({ includeIgnored }: SearchScope): string[] {
  const always = ['--no-config', '--no-messages', '--no-require-git', '--hidden']
  return includeIgnored ? [...always, '--no-ignore'] : [...always, '--glob=!.git']
}

function lineArguments({ pattern, ignoreCase, multiline, context }: LineSearch): string[] {
  const args = ['--json', '--sort=path', `--regexp=${pattern}`]
  if (ignoreCase) args.push('--ignore-case')
  if (multiline) args.push('--multiline')
  if (context > 0) args.push(`--context=${context}`)
  return args
}

/** A single dash would be read as stdin. */
function explicit(path: string): string {
  return path === '' || path === '-' ? `./${path}` : path
}

function relative(path: string): string {
  return path.replace(/^\.[\\/]+/, '')
}

const PATTERN_FAULT = /regex|pattern|literal|multiline/i

function finish({ exitCode, complete, stderr, produced }: SearchRun): { complete: boolean } {
  if (!complete || exitCode === 0 || exitCode === 1 || produced) return { complete }
  const reason = stderr.replace(/^rg: /, '').trim()
  if (reason === '') return { complete }
  if (PATTERN_FAULT.test(reason)) throw new SearchPatternError(reason)
  throw new Error(`the search failed: ${reason}`)
}

type JsonText = { text: string } | { bytes: string }
type JsonLine = {
  type: 'begin' | 'end' | 'match' | 'context' | 'summary'
  data: { path?: JsonText | null; lines?: JsonText; line_number?: number | null }
}

function hitReader({ accepts }: LineSearch, onHit: (hit: LineHit) => void): (bytes: Buffer) => boolean {
  let wanted = true
  const isHit = /^\{"type":"(?:match|context)"/
  return (bytes) => {
    if (!wanted && isHit.test(bytes.toString('latin1', 0, 24))) return false
    const { type, data } = JSON.parse(bytes.toString('utf8')) as JsonLine
    const path = relative(plain(data.path ?? { text: '' }))
    if (type === 'begin') wanted = accepts?.(path) ?? true
    if (!wanted || (type !== 'match' && type !== 'context') || !data.lines) return wanted
    onHit({
      kind: type,
      path,
      lineNumber: data.line_number ?? 0,
      line: plain(data.lines).replace(/\r?\n$/, ''),
    })
    return true
  }
}

function plain(text: JsonText): string {
  return 'text' in text ? text.text : Buffer.from(text.bytes, 'base64').toString('utf8')
}
