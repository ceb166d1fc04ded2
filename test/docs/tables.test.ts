// Tables that repeat what the source decides: all rows are there, and say the same.
import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '#agent/options.ts'
import { BUILT_IN } from '#bridge/commands/index.ts'
import { EXIT_CODES } from '#cli/run.ts'
import { fileSchema } from '#config/schema.ts'
import { MODEL_ERROR_CODES, ModelError } from '#model/error.ts'
import { PROVIDERS } from '#model/providers/index.ts'
import { DEFAULT_IDLE_MS } from '#model/source.ts'
import { DEFAULT_TIMEOUT_MS } from '#tools/bash/bash.ts'
import { RUN_LIMITS } from '#tools/code/limits.ts'
import { commandNames } from '../cli/run-bin.ts'
import { pageOf, tableOf } from './pages.ts'

const readme = pageOf('README.md')
/** The first spans of code of a column. */
const spans = (rows: string[][], column = 0): string[] =>
  rows.map((cells) => /`([^`]+)`/.exec(cells[column] ?? '')?.[1] ?? '')

it('the README lists every command', async () => {
  const listed = spans(tableOf(readme, '| command')).map((span) => span.split(' ')[1] ?? '')
  expect(listed.toSorted()).toEqual((await commandNames()).toSorted())
}, 60_000)

it('the README lists every provider, with its key and default model', () => {
  const rows = tableOf(readme, '| provider').filter(([id]) => id !== '`scripted`')
  const written = rows.map((cells) => {
    const [id, key, model] = [0, 1, 2].map((column) => spans([cells], column)[0])
    return [id, id === 'openai-compatible' ? undefined : key, model === '' ? undefined : model]
  })
  const real = PROVIDERS.map(({ id, keyVariable, defaultModel }) => [id, keyVariable, defaultModel])
  expect(written).toEqual(real)
})

it('the README lists every exit code', () => {
  const codes = tableOf(readme, '| code | meaning').map(([code]) => Number(code))
  expect(codes).toEqual([...new Set([...Object.values(EXIT_CODES), 1, 2])].toSorted((a, b) => a - b))
})

it('docs/clients.md lists every command of a session', () => {
  const listed = tableOf(pageOf('docs/clients.md'), '| command').flatMap(([cell = '']) =>
    [...cell.matchAll(/`\/(\w+)/g)].map(([, name = '']) => name),
  )
  expect(listed.toSorted()).toEqual(BUILT_IN.map(({ name }) => name).toSorted())
})

it('docs/configuration.md says how far each limit goes', () => {
  const rows = tableOf(pageOf('docs/configuration.md'), '| setting')
  const written = rows.map(([name = '', value]) => [name.replaceAll(/`|limits\./g, ''), Number(value)])
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
  expect(Object.fromEntries(written)).toEqual(real)
  expect(Object.keys(real)).toEqual(Object.keys(fileSchema.shape.limits.unwrap().shape))
})

it('docs/configuration.md lists the codes with which a scripted model fails, and those that are tried again', () => {
  const { text } = pageOf('docs/configuration.md')
  const listed = (codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(', ')
  expect(text).toContain(`The codes are ${listed(MODEL_ERROR_CODES)}.`)
  const again = MODEL_ERROR_CODES.filter((code) => new ModelError(code, '').retryable)
  expect(text).toContain(`tried again for ${listed(again)}, and`)
})

it('docs/configuration.md says how a request is tried again that failed behind something visible', () => {
  const { visibleRetries, retryDelayMs, maxRetryDelayMs } = DEFAULT_LIMITS
  const { text } = pageOf('docs/configuration.md')
  expect(text).toContain(`at most ${visibleRetries} further tries`)
  expect(text).toContain(
    `about ${retryDelayMs} ms and doubles up to about ${maxRetryDelayMs.toLocaleString('en-US')} ms`,
  )
  expect(Object.keys(fileSchema.shape.limits.unwrap().shape)).not.toContain('visibleRetries')
})
