// Search by ripgrep: the command lines, and what it prints read back.
import { rgPath } from '@vscode/ripgrep'
import { pathOrder } from './path-order.ts'
import { hitReader } from './ripgrep-json.ts'
import { runCapped, type SearchRun } from './search-process.ts'
import {
  type FileHit,
  type LineHit,
  type LineSearch,
  type Search,
  type SearchEnd,
  SearchPatternError,
  type SearchScope,
} from './search.ts'

/** `cwd`: what relative paths are relative to. */
export function createRipgrep(cwd: string): Search {
  return {
    files: (scope, onPath) => listFiles(cwd, scope, onPath),
    lines: (search, onHit) => findLines(cwd, search, onHit),
    matching: (search, onFile) => findFiles(cwd, search, onFile),
  }
}

async function listFiles(
  cwd: string,
  scope: SearchScope,
  onPath: (path: string) => void,
): Promise<SearchEnd> {
  const args = [
    ...commonArguments(scope),
    '--files',
    '--null',
    '--sortr=modified',
    '--',
    explicit(scope.path),
  ]
  const program = { file: rgPath, args, cwd, separator: '\0' as const, signal: scope.signal }
  return finish(await runCapped(program, (path) => onPath(relative(path))))
}

/**
 * Searches with all threads and puts the files in order afterwards. A search that had too much to say would have said
 * something else each time, so it is done again in order.
 */
async function findLines(cwd: string, search: LineSearch, onHit: (hit: LineHit) => void): Promise<SearchEnd> {
  const run = async (order: string[], take: (hit: LineHit) => void): Promise<SearchRun> => {
    const args = ['--json', ...order, ...patternArguments(search)]
    return runCapped(
      { file: rgPath, args, cwd, separator: '\n', signal: search.signal },
      hitReader(search, take),
    )
  }
  const byPath = new Map<string, LineHit[]>()
  const first = await run([], (hit) => {
    const hits = byPath.get(hit.path)
    if (hits) hits.push(hit)
    else byPath.set(hit.path, [hit])
  })
  if (!first.complete && !first.timedOut) return finish(await run(['--sort=path'], onHit))
  for (const path of [...byPath.keys()].toSorted(pathOrder)) byPath.get(path)?.forEach(onHit)
  return finish(first)
}

async function findFiles(
  cwd: string,
  search: LineSearch & { counting: boolean },
  onFile: (hit: FileHit) => void,
): Promise<SearchEnd> {
  const { counting, accepts, signal } = search
  const args = ['--null', counting ? '--count' : '--files-with-matches', ...patternArguments(search)]
  const found: FileHit[] = []
  // Paths end with NUL; a count stands behind it, and a newline.
  let path: string | undefined
  const take = (record: string): void => {
    const newline = counting && path !== undefined ? record.indexOf('\n') : -1
    if (path !== undefined && newline !== -1) found.push({ path, count: Number(record.slice(0, newline)) })
    path = relative(record.slice(newline + 1))
    if (!counting) found.push({ path, count: 1 })
  }
  const run = await runCapped({ file: rgPath, args, cwd, separator: '\0', signal }, take)
  if (counting && path !== undefined && run.complete) found.push({ path, count: Number(run.rest) })
  const wanted = accepts ? found.filter((hit) => accepts(hit.path)) : found
  for (const hit of wanted.toSorted((a, b) => pathOrder(a.path, b.path))) onFile(hit)
  return finish(run)
}

function commonArguments({ includeIgnored }: SearchScope): string[] {
  const always = ['--no-config', '--no-messages', '--no-require-git', '--hidden']
  return includeIgnored ? [...always, '--no-ignore'] : [...always, '--glob=!.git']
}

function patternArguments(search: LineSearch): string[] {
  const { pattern, ignoreCase, multiline, context } = search
  const args = [...commonArguments(search), `--regexp=${pattern}`, '--with-filename']
  if (ignoreCase) args.push('--ignore-case')
  if (multiline) args.push('--multiline')
  if (context > 0) args.push(`--context=${context}`)
  return [...args, '--', explicit(search.path)]
}

/** A single dash would be read as stdin. */
function explicit(path: string): string {
  return path === '' || path === '-' ? `./${path}` : path
}

function relative(path: string): string {
  return path.replace(/^\.[\\/]+/, '')
}

const PATTERN_FAULT = /regex|pattern|literal|multiline/i

function finish({ exitCode, complete, stderr, produced }: SearchRun): SearchEnd {
  if (!complete || exitCode === 0 || exitCode === 1 || produced) return { complete }
  const reason = stderr.replace(/^rg: /, '').trim()
  if (reason === '') return { complete }
  if (PATTERN_FAULT.test(reason)) throw new SearchPatternError(reason)
  throw new Error(`the search failed: ${reason}`)
}
