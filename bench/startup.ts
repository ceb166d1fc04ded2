// From spawn to the `initialize` response, as a ratio to `node -e 0` in the same run.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

export interface StartupResult {
  /** Medians, in milliseconds. */
  bareMs: number
  initializeMs: number
  ratio: number
  rounds: number
}

const bin = fileURLToPath(new URL('../bin/deckhand.js', import.meta.url))
const INITIALIZE = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } })}\n`

/** Both are measured in turns, so that a busy machine slows both. The first round warms the compile cache and is not counted. */
export async function measureStartup(rounds = 20): Promise<StartupResult> {
  const home = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  const env = { ...process.env, DECKHAND_HOME: home }
  const bare: number[] = []
  const initialize: number[] = []
  try {
    for (let round = 0; round <= rounds; round++) {
      const times = [await timeBare(env), await timeInitialize(env)] as const
      if (round === 0) continue
      bare.push(times[0])
      initialize.push(times[1])
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  const [bareMs, initializeMs] = [median(bare), median(initialize)]
  return { bareMs, initializeMs, ratio: initializeMs / bareMs, rounds }
}

/** Until the process is gone. */
function timeBare(env: NodeJS.ProcessEnv): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve(performance.now() - start))
  })
}

/** Until the first line of the answer is whole. */
function timeInitialize(env: NodeJS.ProcessEnv): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, [bin, 'acp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(INITIALIZE)
  let took = Number.NaN
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (!Number.isNaN(took) || !text.includes('\n')) return
    took = performance.now() - start
    child.stdin.end()
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => {
      const answered = text.includes('"protocolVersion":1') && !Number.isNaN(took)
      if (answered) resolve(took)
      else reject(new Error(`no answer to initialize: ${text}`))
    })
  })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
