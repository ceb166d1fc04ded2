// Code Mode beside native calls: matches counted across 50 files by a model behind a real endpoint, and the cost of a run.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeAgent } from '#compose-agent.ts'
import { readSettings } from '#config/settings.ts'
import { textOf } from '#model/content.ts'
import { createRegistry } from '#registry/registry.ts'
import { createCodeMode } from '#tools/code/code-mode.ts'
import { type Answer, startEndpoint } from './endpoint.ts'
import { type Extent, type Figure, timed } from './figure.ts'

const FILES = 50
const NEEDLE = 'TODO'
const PROGRAM = `const { paths } = await tools.glob({ pattern: '*.txt' })
const counts = await Promise.all(paths.map((path) => tools.grep({ pattern: '${NEEDLE}', path, output: 'count' })))
return counts.reduce((sum, one) => sum + (one.output === 'count' ? one.matches : 0), 0)`

type Mode = 'native' | 'code'
const CALLS: Record<Mode, Exclude<Answer, string>> = {
  native: Array.from({ length: FILES }, (_, n) => ({
    name: 'grep',
    args: { pattern: NEEDLE, path: fileName(n), output: 'count' },
  })),
  code: [{ name: 'run_code', args: { code: PROGRAM, description: `Count ${NEEDLE} across the files` } }],
}

interface Measured {
  /** Of the whole turn. */
  wallMs: number
  /** Bytes that the calls and their results added to the second request: what grows with the work. */
  grownBytes: number
}

function fileName(n: number): string {
  return `file-${String(n).padStart(2, '0')}.txt`
}

/** One turn in which the model counts, one way or the other. */
async function measureTurn(mode: Mode): Promise<Measured> {
  const root = await mkdtemp(join(tmpdir(), 'deckhand-bench-'))
  const cwd = join(root, 'project')
  await mkdir(cwd)
  for (let n = 0; n < FILES; n += 1) {
    const lines = Array.from({ length: 100 }, (_, line) =>
      line % 20 === n % 20 ? `// ${NEEDLE} ${line}` : `line ${line}`,
    )
    await writeFile(join(cwd, fileName(n)), lines.join('\n'))
  }
  const { url, bodies, close } = await startEndpoint((messages) =>
    messages.some(({ role }) => role === 'tool') ? 'Counted.' : CALLS[mode],
  )
  const env = {
    PATH: process.env['PATH'],
    DECKHAND_MODEL: 'openai-compatible/m',
    DECKHAND_BASE_URL: url,
    DECKHAND_HOME: join(root, 'home'),
  }
  const agent = composeAgent({ ...readSettings(env), codeMode: mode }, env, () => undefined)
  const session = await agent.create({ cwd, additionalDirectories: [] })
  const prompt = [{ type: 'text' as const, text: `How many ${NEEDLE}s are in the files?` }]
  const wallMs = await timed(() => session.prompt({ content: prompt, shown: prompt }))
  const ids = new Set(
    session.history().flatMap((event) => (event.type === 'tool_call' ? [event.callId] : [])),
  )
  const told = session
    .history()
    .flatMap((event) =>
      event.type === 'tool_result' && ids.has(event.callId) ? [textOf(event.content)] : [],
    )
  await agent.dispose()
  close()
  await rm(root, { recursive: true, force: true })
  const found = told.reduce((sum, one) => sum + numberIn(one), 0)
  if (found !== FILES * 5) throw new Error(`${mode}: counted ${found}`)
  const [first = 0, second = 0] = bodies.map((body) => Buffer.byteLength(body))
  return { wallMs, grownBytes: second - first }
}

function numberIn(result: string): number {
  return Number(/\d+(?= match)|^\d+$/.exec(result)?.[0] ?? Number.NaN)
}

/** Milliseconds of runs that do nothing; the first one of the process is the first. */
async function measureRuns(rounds: number): Promise<number[]> {
  const codeMode = createCodeMode()
  const registry = createRegistry({ transport: codeMode.transport, mode: 'code' })
  codeMode.attach(registry)
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const call = {
      callId: `r${round}`,
      name: 'run_code',
      arguments: { code: `return ${round}`, description: 'Nothing' },
      signal: new AbortController().signal,
    }
    times.push(
      await timed(async () => {
        const result = await registry.execute(call)
        if (result.isError) throw new Error(result.error.message)
      }),
    )
  }
  await codeMode.dispose()
  return times
}

export async function measureCodeMode(extent: Extent): Promise<Figure[]> {
  const [runs, rounds] = extent === 'full' ? [60, 9] : [3, 1]
  const [cold = Number.NaN, ...warm] = await measureRuns(runs)
  const turns: Record<Mode, Measured[]> = { native: [], code: [] }
  for (let round = 0; round <= rounds; round += 1)
    for (const mode of ['native', 'code'] as const) {
      const turn = await measureTurn(mode)
      if (round > 0) turns[mode].push(turn)
    }
  const beside = (name: string, unit: string, pick: (turn: Measured) => number): Figure => ({
    name,
    unit,
    values: turns.code.map(pick),
    baseline: { name: `${FILES} native calls`, values: turns.native.map(pick) },
  })
  return [
    { name: 'the first run of a process', unit: 'ms', values: [cold] },
    { name: 'a run that does nothing', unit: 'ms', values: warm },
    beside(`count in ${FILES} files by one program`, 'ms', ({ wallMs }) => wallMs),
    beside('what that adds to the next request', 'bytes', ({ grownBytes }) => grownBytes),
  ]
}
