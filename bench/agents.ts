// Deckhand beside the floor agent: the same client, the same endpoint, the same work, in turns.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AgentProcess } from './agent-process.ts'
import { type Answer, type ChatMessage, type Endpoint, startEndpoint } from './endpoint.ts'
import { type Aim, type Extent, type Figure, median, timed } from './figure.ts'
import { buildFloor } from './floor/build.ts'

const BIN = fileURLToPath(new URL('../bin/deckhand.js', import.meta.url))

const AIMS = {
  initialize: { of: 'ratio', most: 1.15 },
  'session/new': { of: 'median', most: 15 },
  'first text turn': { of: 'ratio', most: 1.3 },
  'warm text turn': { of: 'ratio', most: 1.2 },
  'reads one by one': { of: 'ratio', most: 1.3 },
  'reads at once': { of: 'ratio', most: 1.3 },
  'write with permission': { of: 'ratio', most: 1.5 },
  'peak memory': { of: 'ratio', most: 1.35 },
  'shutdown after EOF': { of: 'median', most: 20 },
} as const satisfies Record<string, Aim>

/** What a person feels who writes the prompt meanwhile. */
const LATER = 'first text turn, half a second later'

type Column = keyof typeof AIMS | typeof LATER
type Columns = Record<Column, number>

interface Work {
  reads: number
  pauseMs: number
  warmTurns: number
}

interface Contender {
  args: readonly string[]
  env: NodeJS.ProcessEnv
}

/** Every round is a process of its own; the first one warms the caches and is not counted. */
export async function measureAgents(extent: Extent): Promise<Figure[]> {
  const rounds = extent === 'full' ? 15 : 1
  const work =
    extent === 'full' ? { reads: 20, pauseMs: 500, warmTurns: 5 } : { reads: 2, pauseMs: 1, warmTurns: 1 }
  const root = await mkdtemp(join(tmpdir(), 'deckhand-bench-'))
  const endpoint = await startEndpoint(play)
  try {
    const { floor, deckhand } = await contenders(root, endpoint)
    const taken = { bare: [] as number[], floor: [] as Columns[], deckhand: [] as Columns[] }
    const turns = [
      async () => taken.bare.push(await timed(() => once(spawnBare(), 'exit'))),
      async () => taken.floor.push(await measure(floor, root, work)),
      async () => taken.deckhand.push(await measure(deckhand, root, work)),
    ]
    for (let round = 0; round <= rounds; round++) {
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
      endpoint.bodies.length = 0
      if (round === 0) for (const list of Object.values(taken)) list.length = 0
    }
    return figures(taken.bare, taken.floor, taken.deckhand)
  } finally {
    endpoint.close()
    await rm(root, { recursive: true, force: true })
  }
}

function spawnBare() {
  return spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
}

/** Caches and state of both lie below `root`. */
async function contenders(root: string, { url }: Endpoint): Promise<Record<'floor' | 'deckhand', Contender>> {
  const cache = join(root, 'tmp')
  await mkdir(cache)
  const env = { PATH: process.env['PATH'], HOME: join(root, 'home'), TMPDIR: cache }
  const own = { DECKHAND_MODEL: 'openai-compatible/m', DECKHAND_BASE_URL: url }
  return {
    floor: { args: [await buildFloor(join(root, 'floor'))], env: { ...env, FLOOR_URL: url } },
    deckhand: { args: [BIN, 'acp'], env: { ...env, ...own } },
  }
}

/** One life of an agent. */
async function measure({ args, env }: Contender, root: string, work: Work): Promise<Columns> {
  const cwd = await mkdtemp(join(root, 'project-'))
  for (let n = 0; n < work.reads; n++) await writeFile(join(cwd, fileName(n)), `line of ${n}\n`.repeat(50))
  const start = performance.now()
  const agent = new AgentProcess(args, env, cwd)
  await agent.initialize()
  const initialize = performance.now() - start
  let id = ''
  const sessionNew = await timed(async () => (id = await agent.open(cwd)))
  const first = await agent.prompt(id, 'say something')
  const warm: number[] = []
  for (let turn = 0; turn < work.warmTurns; turn++) warm.push(await agent.prompt(id, 'say something'))
  const oneByOne = await agent.prompt(id, `read ${work.reads} one by one`)
  const atOnce = await agent.prompt(id, `read ${work.reads} at once`)
  const write = await agent.prompt(id, 'write 1')
  await access(join(cwd, WRITTEN))
  if (agent.asked !== 1) throw new Error(`asked ${agent.asked} times`)
  return {
    initialize,
    'session/new': sessionNew,
    'first text turn': first,
    'warm text turn': median(warm),
    'reads one by one': oneByOne,
    'reads at once': atOnce,
    'write with permission': write,
    'peak memory': agent.peakMB,
    'shutdown after EOF': await agent.end(),
    [LATER]: await measureLater(args, env, cwd, work.pauseMs),
  }
}

async function measureLater(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  pauseMs: number,
): Promise<number> {
  const agent = new AgentProcess(args, env, cwd)
  await agent.initialize()
  const id = await agent.open(cwd)
  await sleep(pauseMs)
  const turn = await agent.prompt(id, 'say something')
  await agent.end()
  return turn
}

const WRITTEN = 'written.txt'
const SENTENCE = 'A short answer of a few words, one by one, as models give them.'

function fileName(n: number): string {
  return `file-${n}.txt`
}

/** The model: does what the last prompt says, with the tools that both agents have under the same names. */
function play(messages: readonly ChatMessage[]): Answer {
  const asked = messages.findLastIndex((message) => message.role === 'user' && ORDER.test(textOf(message)))
  const [, verb, count = '', manner] = ORDER.exec(textOf(messages[asked])) ?? []
  const done = messages.slice(asked + 1).filter(({ role }) => role === 'tool').length
  const read = (n: number) => ({ name: 'read', args: { file_path: fileName(n) } })
  if (verb === 'read' && manner === 'one by one' && done < Number(count)) return [read(done)]
  if (verb === 'read' && manner === 'at once' && done === 0)
    return Array.from({ length: Number(count) }, (_, n) => read(n))
  if (verb === 'write' && done === 0)
    return [{ name: 'write', args: { file_path: WRITTEN, content: 'a line\n'.repeat(50) } }]
  return SENTENCE
}

const ORDER = /(say|read|write) (\w+)(?: (one by one|at once))?/

function textOf({ content = '' }: Pick<ChatMessage, 'content'> = {}): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}

function figures(bare: number[], floor: Columns[], deckhand: Columns[]): Figure[] {
  const start: Figure = {
    name: 'initialize, beside Node alone',
    unit: 'ms',
    values: deckhand.map(({ initialize }) => initialize),
    baseline: { name: '`node -e 0`', values: bare },
  }
  const beside = (column: Column, aim?: Aim): Figure => {
    const of = (rounds: Columns[]) => rounds.map((round) => round[column])
    const unit = column === 'peak memory' ? 'MB' : 'ms'
    const baseline = { name: 'floor', values: of(floor) }
    return { name: column, unit, values: of(deckhand), baseline, ...(aim && { aim }) }
  }
  const columns = Object.entries(AIMS).map(([column, aim]) => beside(column as Column, aim))
  return [start, ...columns, beside(LATER)].filter(({ values }) => values.every(Number.isFinite))
}
