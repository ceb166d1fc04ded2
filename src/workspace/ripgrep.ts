// Search by ripgrep: the command lines, and what it prints read back.
import { pathOrder } from './path-order.ts'
import { hitReader } from './ripgrep-json.ts'
import { RIPGREP_MISSING, ripgrepProgram } from './ripgrep-program.ts'
import {
  runCapped,
  SEARCH_CAPS,
  type SearchCaps,
  type SearchProgram,
  type SearchRun,
  SearchStartError,
} from './search-process.ts'
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
    matching: async (search, onFile) => {
      const { complete } = await findFiles(cwd, search, onFile)
      return { complete }
    },
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
  const program = { args, cwd, separator: '\0' as const, signal: scope.signal }
  return finish(await ripgrep(program, (path) => onPath(relative(path))))
}

/**
 * First the files with a match, by all threads; then their lines, file by file and in order, until a cap ends it. So the
 * same search says the same each time, and ripgrep never holds the output of a whole file back.
 */
async function findLines(cwd: string, search: LineSearch, onHit: (hit: LineHit) => void): Promise<SearchEnd> {
  const paths: string[] = []
  const listed = await findFiles(cwd, { ...search, counting: false }, ({ path }) => paths.push(path))
  const left = { ...listed.left }
  const read = hitReader(onHit)
  for (const batch of batches(paths)) {
    const args = ['--json', '--threads=1', ...patternArguments(search, batch)]
    const program = { args, cwd, separator: '\n' as const, signal: search.signal, caps: left }
    const run = await ripgrep(program, read)
    if (!finish(run).complete) return { complete: false }
    left.time -= run.used.time
    left.output -= run.used.output
  }
  return { complete: listed.complete }
}

/** As many paths as fit on a command line. */
function* batches(paths: readonly string[]): Generator<string[]> {
  const most = process.platform === 'win32' ? 20_000 : 100_000
  let batch: string[] = []
  let length = 0
  for (const path of paths) {
    if (batch.length > 0 && length + path.length > most) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(path)
    length += path.length + 3
  }
  if (batch.length > 0) yield batch
}

async function findFiles(
  cwd: string,
  search: LineSearch & { counting: boolean },
  onFile: (hit: FileHit) => void,
): Promise<SearchEnd & { left: SearchCaps }> {
  const { counting, accepts, signal } = search
  const args = [
    '--null',
    counting ? '--count' : '--files-with-matches',
    ...patternArguments(search, [search.path]),
  ]
  const found: FileHit[] = []
  // Paths end with NUL; a count stands behind it, and a newline.
  let path: string | undefined
  const take = (record: string): void => {
    const newline = counting && path !== undefined ? record.indexOf('\n') : -1
    if (path !== undefined && newline !== -1) found.push({ path, count: Number(record.slice(0, newline)) })
    path = relative(record.slice(newline + 1))
    if (!counting) found.push({ path, count: 1 })
  }
  const run = await ripgrep({ args, cwd, separator: '\0', signal }, take)
  if (counting && path !== undefined && run.complete) found.push({ path, count: Number(run.rest) })
  const wanted = accepts ? found.filter((hit) => accepts(hit.path)) : found
  for (const hit of wanted.toSorted((a, b) => pathOrder(a.path, b.path))) onFile(hit)
  const { time, output } = SEARCH_CAPS
  return { ...finish(run), left: { time: time - run.used.time, output } }
}

async function ripgrep(
  program: Omit<SearchProgram, 'file'>,
  onRecord: Parameters<typeof runCapped>[1],
): Promise<SearchRun> {
  const { file, missing } = await ripgrepProgram()
  try {
    return await runCapped({ file, ...program }, onRecord)
  } catch (error) {
    if (missing !== undefined && error instanceof SearchStartError)
      throw new Error(RIPGREP_MISSING, { cause: error })
    throw error
  }
}

function commonArguments({ includeIgnored }: SearchScope): string[] {
  const always = ['--no-config', '--no-messages', '--no-require-git', '--hidden']
  return includeIgnored ? [...always, '--no-ignore'] : [...always, '--glob=!.git']
}

function patternArguments(search: LineSearch, paths: readonly string[]): string[] {
  const { pattern, ignoreCase, multiline, context } = search
  const args = [...commonArguments(search), `--regexp=${pattern}`, '--with-filename']
  if (ignoreCase) args.push('--ignore-case')
  if (multiline) args.push('--multiline')
  if (context > 0) args.push(`--context=${context}`)
  return [...args, '--', ...paths.map(explicit)]
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
