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
import { type Extent, type Figure, inTurns, timed } from './figure.ts'

interface Sizes {
  files: number
  largeBytes: number
  editedBytes: number
  rounds: number
}

const SIZES: Record<Extent, Sizes> = {
  full: { files: 50_000, largeBytes: 1_000_000_000, editedBytes: 10_000_000, rounds: 9 },
  short: { files: 100, largeBytes: 1_000_000, editedBytes: 100_000, rounds: 1 },
}
const LINE = 'a line of text that is as long as lines of programs often are, and no longer\n'
/** What every search of ours has; the same for ripgrep itself. */
const FLAGS = ['--no-config', '--no-messages', '--no-require-git', '--hidden', '--glob=!.git']

type Run = (name: string, args: JsonObject) => Promise<string>

export async function measureTools(extent: Extent): Promise<Figure[]> {
  const sizes = SIZES[extent]
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
    await makeTree(join(cwd, 'tree'), sizes)
    return [
      await compareGrep(run, cwd, sizes),
      await compareGlob(run, cwd, sizes),
      ...(await compareRead(run, join(cwd, 'large.txt'), sizes)),
      await measureEdit(run, join(cwd, 'edited.txt'), sizes),
    ]
  } finally {
    scope.dispose()
    await workspace.dispose()
    await rm(cwd, { recursive: true, force: true })
  }
}

async function makeTree(root: string, { files }: Sizes): Promise<void> {
  const body = 'export const value = compute(alpha, beta)\n'.repeat(20)
  for (let directory = 0; directory < files / 100; directory += 1) {
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

async function compareGrep(run: Run, cwd: string, { files, rounds }: Sizes): Promise<Figure> {
  const { own, reference } = await inTurns(
    rounds,
    async () =>
      expectIn(
        await run('grep', { pattern: 'needle', path: 'tree' }),
        files > 100 ? 'of 500 matches' : '1 match',
      ),
    () => ripgrep(['needle', 'tree'], cwd),
  )
  return beside(`grep in ${files.toLocaleString('en')} files`, own, 'rg itself', reference, 1.3)
}

async function compareGlob(run: Run, cwd: string, { files, rounds }: Sizes): Promise<Figure> {
  const { own, reference } = await inTurns(
    rounds,
    async () =>
      expectIn(
        await run('glob', { pattern: '**/*.ts', path: 'tree' }),
        files > 100 ? 'of 37500 files' : 'f99.ts',
      ),
    () => ripgrep(['--files', '--sortr=modified', 'tree'], cwd),
  )
  return beside(`glob in ${files.toLocaleString('en')} files`, own, 'rg itself', reference, 1.3)
}

function beside(name: string, values: number[], reference: string, times: number[], most: number): Figure {
  return {
    name,
    unit: 'ms',
    values,
    baseline: { name: reference, values: times },
    aim: { of: 'ratio', most },
  }
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

async function compareRead(run: Run, path: string, { largeBytes, rounds }: Sizes): Promise<Figure[]> {
  const lines = await makeLarge(path, largeBytes)
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
  const times = await inTurns(Math.ceil(rounds / 3), own, () => countLines(path, lines))
  const size = `${largeBytes / 1e6} MB`
  return [
    beside(`read the end of ${size}`, times.own, 'counting its lines', times.reference, 1.5),
    {
      name: `memory while ${size} are read`,
      unit: 'MB',
      values: [(most - before) / 1e6],
      aim: { of: 'median', most: 50 },
    },
  ]
}

async function makeLarge(path: string, bytes: number): Promise<number> {
  const block = Buffer.from(LINE.repeat(10_000))
  const file = await open(path, 'w')
  let lines = 0
  for (let size = 0; size < bytes; size += block.length) {
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

async function measureEdit(run: Run, path: string, { editedBytes }: Sizes): Promise<Figure> {
  const half = LINE.repeat(Math.ceil(editedBytes / LINE.length / 2))
  await writeFile(path, `${half}the line in the middle 0\n${half}`)
  await run('read', { file_path: path, limit: 1 })
  const values: number[] = []
  for (let round = 0; round < 7; round += 1) {
    const edit = { file_path: path, old_string: `middle ${round}\n`, new_string: `middle ${round + 1}\n` }
    values.push(await timed(() => run('edit', edit)))
  }
  expectIn(await readFile(path, 'utf8'), 'the line in the middle 7\n')
  const name = `edit in a file of ${editedBytes / 1e6} MB`
  return { name, unit: 'ms', values, aim: { of: 'median', most: 150 } }
}

function expectIn(text: string, part: string): void {
  if (!text.includes(part))
    throw new Error(`${JSON.stringify(part)} is not in ${JSON.stringify(text.slice(-200))}`)
}
