// The table of limits in docs/configuration.md: every one, with its default.
import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '#agent/options.ts'
import { fileSchema } from '#config/schema.ts'
import { DEFAULT_IDLE_MS } from '#model/source.ts'
import { DEFAULT_TIMEOUT_MS } from '#tools/bash/bash.ts'
import { RUN_LIMITS } from '#tools/code/limits.ts'
import { pageOf } from './pages.ts'

it('docs/configuration.md says how far each limit goes', () => {
  const { text } = pageOf('docs/configuration.md')
  const rows = [...text.matchAll(/^\| `limits\.(\w+)` +\| (\d+) +\|/gm)].map(([, name, value]) => [
    name,
    Number(value),
  ])
  const { modelRequests, parallel, retries } = DEFAULT_LIMITS
  const real = {
    modelRequests,
    parallel,
    retries,
    idleTimeoutMs: DEFAULT_IDLE_MS,
    bashTimeoutMs: DEFAULT_TIMEOUT_MS,
    codeTimeoutMs: RUN_LIMITS.busyMs,
    codeWallMs: RUN_LIMITS.wallMs,
    codeMemoryMiB: RUN_LIMITS.memoryBytes / 1024 / 1024,
    codeOutputBytes: RUN_LIMITS.outputBytes,
    codeCalls: RUN_LIMITS.calls,
  }
  expect(Object.fromEntries(rows)).toEqual(real)
  expect(Object.keys(real)).toEqual(Object.keys(fileSchema.shape.limits.unwrap().shape))
})
