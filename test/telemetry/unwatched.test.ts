// Without an SDK nothing of OpenTelemetry is loaded, and nothing is in between.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isWatched, traced, tracedStream } from '#telemetry/span.ts'
import { ROOT } from '../cli/run-bin.ts'

const INIT = { name: 'x', kind: 'internal', attributes: {} } as const

describe('without an SDK', () => {
  it('gives what the work gives, itself', async () => {
    expect(isWatched()).toBe(false)
    const work = Promise.resolve(1)
    expect(traced(INIT, () => work)).toBe(work)
    const items = (async function* () {
      yield 1
    })()
    expect(
      tracedStream(
        INIT,
        () => items,
        () => undefined,
      ),
    ).toBe(items)
  })
})

describe('the bundle', () => {
  it('has the API in chunks that are only imported late', () => {
    const { outputs } = JSON.parse(readFileSync(join(ROOT, 'dist/metafile.json'), 'utf8')) as {
      outputs: Record<string, { inputs: object; imports: { path: string; kind: string }[] }>
    }
    const holdsApi = (path: string) =>
      Object.keys(outputs[path]?.inputs ?? {}).some((input) => input.includes('@opentelemetry/api'))
    expect(Object.keys(outputs).filter(holdsApi)).not.toEqual([])
    const early = (path: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(path)) return seen
      seen.add(path)
      for (const { path: target, kind } of outputs[path]?.imports ?? [])
        if (kind === 'import-statement' && target in outputs) early(target, seen)
      return seen
    }
    const agent = Object.entries(outputs).find(([, { inputs }]) => 'src/compose-agent.ts' in inputs)?.[0]
    for (const entry of ['dist/main.cjs', 'dist/index.cjs', 'dist/code-worker.js', agent ?? ''])
      expect([...early(entry)].filter(holdsApi)).toEqual([])
    expect([...early(agent ?? '')].length).toBeGreaterThan(1)
  })

  it('has an API that is no newer than what SDKs bring: a newer one would not see them', () => {
    const { version } = JSON.parse(
      readFileSync(join(ROOT, 'node_modules/@opentelemetry/api/package.json'), 'utf8'),
    )
    expect(version).toMatch(/^1\.9\./)
  })
})
