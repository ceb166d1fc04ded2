// The tools against what the machine can do: ripgrep on the same tree, one pass over the same file, one write.
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { createRegistry } from '#registry/registry.ts'
import { firstPartyTools } from '#tools/index.ts'
import { createWorkspace } from '#workspace/workspace.ts'
import type { JsonObject } from '#json/value.ts'

export interface Comparison {
  name: string
  /** Medians, in milliseconds. */
  ownMs: number
  referenceMs: number
  ratio: number
}

export interface ToolsResult {
  grep: Comparison
  glob: Comparison
  read: Comparison & { grownMB: number }
  editMs: number
}

const FILES = 50_000
const LARGE = 1_000_000_000
const EDITED = 10_000_000
const LINE = 'a line of text that is as long as lines of programs often are, and no longer\n'
/** What every search of ours has; the same for ripgrep itself. */
const FLAGS = ['--no-config', '--no-messages', '--no-require-git', '--hidden', '--glob=!.git']

type Run = (name: string, args: JsonObject) => Promise<string>

export async function measureTools(): Promise<ToolsResult> {
  const cwd = await mkdtemp(join(tmpdir(), 'deckhand-bench-tools-'))
  const workspace = createWorkspace({ cwd })
  const registry = createRegistry()
  const scope = registry.scope()
  for (const tool of firstPartyTools(workspace)) scope.register(tool)
  let calls = 0
  const run: Run = async (name, args) => {
    const signal = new AbortController().signal
    const result = await registry.execute({ callId: `call-${++calls}`, name, arguments: args, scope, signal })
    if (result.isError) throw new Error(result.error.message)
    return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  }
  try {
    await makeTree(join(cwd, 'tree'))
    return {
      grep: await compareGrep(run, cwd),
      glob: await compareGlob(run, cwd),
      read: await compareRead(run, join(cwd, 'large.txt')),
      editMs: await measureEdit(run, join(cwd, 'edited.txt')),
    }
  } finally {
    scope.dispose()
    await workspace.dispose()
    await rm(cwd, { recursive: true, force: true })
  }
}

async function makeTree(root: string): Promise<void> {
  const body = 'export const value = compute(alpha, beta)\n'.repeat(20)
  for (let directory = 0; directory < FILES / 100; directory += 1) {
    const path = join(root, `d${directory % 25}`, `s${directory}`)
    await mkdir(path, { recursive: true })
    const writes = Array.from({ length: 100 }, (_, file) =>
      writeFile(
        join(path, `f${file}.${file % 4 === 0 ? 'js' : 'ts'}`),
        `// ${directory} ${file}\n${body}${file === 50 ? 'a needle\n' : ''}`,
      ),
    )
    await Promise.all(writes)
  }
}

async function compareGrep(run: Run, cwd: string): Promise<Comparison> {
  return compare(
    'grep',
    async () => expectIn(await run('grep', { pattern: 'needle', path: 'tree' }), 'of 500 matches'),
    () => ripgrep(['needle', 'tree'], cwd),
  )
}

async function compareGlob(run: Run, cwd: string): Promise<Comparison> {
  return compare(
    'glob',
    async () => expectIn(await run('glob', { pattern: '**/*.ts', path: 'tree' }), 'of 37500 files'),
    () => ripgrep(['--files', '--sortr=modified', 'tree'], cwd),
  )
}

/** Settles when all of its output was read. */
function ripgrep(args: string[], cwd: string): Promise<void> {
  const child = spawn(rgPath, [...FLAGS, ...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve())
  })
}

async function compareRead(run: Run, path: string): Promise<ToolsResult['read']> {
  const lines = await makeLarge(path)
  const own = async (): Promise<void> =>
    expectIn(
      await run('read', { file_path: path, offset: lines - 99, limit: 100 }),
      `[end of file: ${lines} lines]`,
    )
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  await own()
  most = Math.max(most, process.memoryUsage().rss)
  clearInterval(timer)
  const comparison = await compare('read', own, () => countLines(path, lines), 3)
  return { ...comparison, grownMB: (most - before) / 1e6 }
}

async function makeLarge(path: string): Promise<number> {
  const block = Buffer.from(LINE.repeat(10_000))
  const file = await open(path, 'w')
  let lines = 0
  for (let size = 0; size < LARGE; size += block.length) {
    await file.write(block)
    lines += 10_000
  }
  await file.close()
  return lines
}

async function countLines(path: string, expected: number): Promise<void> {
  let lines = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
  }
  if (lines !== expected) throw new Error(`${lines} lines instead of ${expected}`)
}

async function measureEdit(run: Run, path: string): Promise<number> {
  const half = LINE.repeat(Math.ceil(EDITED / LINE.length / 2))
  await writeFile(path, `${half}the line in the middle 0\n${half}`)
  await run('read', { file_path: path, limit: 1 })
  const times: number[] = []
  for (let round = 0; round < 7; round += 1) {
    const edit = { file_path: path, old_string: `middle ${round}\n`, new_string: `middle ${round + 1}\n` }
    times.push(await timed(() => run('edit', edit)))
  }
  expectIn(await readFile(path, 'utf8'), 'the line in the middle 7\n')
  return median(times)
}

/** In turns, so that a busy machine slows both. The first round warms the caches and is not counted. */
async function compare(
  name: string,
  own: () => Promise<unknown>,
  reference: () => Promise<unknown>,
  rounds = 9,
): Promise<Comparison> {
  const ownTimes: number[] = []
  const referenceTimes: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const times = [await timed(own), await timed(reference)] as const
    if (round === 0) continue
    ownTimes.push(times[0])
    referenceTimes.push(times[1])
  }
  const [ownMs, referenceMs] = [median(ownTimes), median(referenceTimes)]
  return { name, ownMs, referenceMs, ratio: ownMs / referenceMs }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function expectIn(text: string, part: string): void {
  if (!text.includes(part))
    throw new Error(`${JSON.stringify(part)} is not in ${JSON.stringify(text.slice(-200))}`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** One line for each. */
export function toolsReport({ grep, glob, read, editMs }: ToolsResult): string {
  const line = ({ name, ownMs, referenceMs, ratio }: Comparison, reference: string, limit: number): string =>
    `${name}: ${ownMs.toFixed(0)} ms, ${reference} ${referenceMs.toFixed(0)} ms, ratio ${ratio.toFixed(2)} (limit ${limit})`
  return [
    line(grep, `rg itself over ${FILES} files`, 1.3),
    line(glob, `rg itself over ${FILES} files`, 1.3),
    `${line(read, 'counting the lines of 1 GB in one stream', 1.5)}, memory grew by ${read.grownMB.toFixed(0)} MB (limit 50)`,
    `edit: ${editMs.toFixed(0)} ms in a file of 10 MB (limit 150)`,
  ].join('\n')
}
