// The benchmarks by name. Each runs in a process of its own, so that none weighs on another's figures.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Extent, Figure } from './figure.ts'

type Measure = (extent: Extent) => Promise<Figure[]>

export const BENCHMARKS = {
  agents: async () => (await import('./agents.ts')).measureAgents,
  bridge: async () => (await import('./bridge.ts')).measureBridge,
  session: async () => (await import('./session.ts')).measureSession,
  pipeline: async () => (await import('./pipeline.ts')).measurePipeline,
  tools: async () => (await import('./tools.ts')).measureTools,
  'code-mode': async () => (await import('./code-mode.ts')).measureCodeMode,
  mcp: async () => (await import('./mcp.ts')).measureMcp,
  leaks: async () => (await import('./leaks.ts')).measureLeaks,
} as const satisfies Record<string, () => Promise<Measure>>

export type BenchmarkName = keyof typeof BENCHMARKS

export function isBenchmark(name: string): name is BenchmarkName {
  return Object.hasOwn(BENCHMARKS, name)
}

/** Rejects when the benchmark fails; what it complains about is on stderr. */
export function runBenchmark(name: BenchmarkName, extent: Extent): Promise<Figure[]> {
  const program = fileURLToPath(new URL('process.ts', import.meta.url))
  const child = fork(program, [name, extent], { execArgv: ['--expose-gc'] })
  return new Promise((resolve, reject) => {
    let figures: Figure[] | undefined
    child.on('message', (message) => (figures = message as Figure[]))
    child.once('error', reject)
    child.once('close', (code) => {
      if (figures !== undefined && code === 0) resolve(figures)
      else reject(new Error(`the benchmark ${name} failed with exit code ${code}`))
    })
  })
}
