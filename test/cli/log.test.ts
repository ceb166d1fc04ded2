import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { createLog } from '#cli/log.ts'
import { conceal, concealAll, withoutSecrets } from '#config/concealed.ts'
import { Secret } from '#config/secret.ts'
import { LOG_LEVELS, type LogLevel } from '#config/settings.ts'
import { scriptedBin } from '../support/scripted-bin.ts'
import { temporaryDirectory } from '../support/temporary.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

function logTo(level: LogLevel, file?: string, env: NodeJS.ProcessEnv = {}) {
  const stderr = new PassThrough()
  const log = createLog({ log: { level, ...(file !== undefined && { file }) }, stderr, env })
  return { log, written: () => String(stderr.read() ?? '') }
}

describe('levels', () => {
  const SHOWN: Record<LogLevel, string[]> = {
    silent: [],
    error: ['error'],
    warn: ['warn', 'error'],
    info: ['info', 'warn', 'error'],
    debug: ['debug', 'info', 'warn', 'error'],
    trace: ['debug', 'info', 'warn', 'error'],
  }
  it.each(LOG_LEVELS)('shows at %s what it should', (level) => {
    const { log, written } = logTo(level)
    for (const at of ['debug', 'info', 'warn', 'error'] as const) log(at, 'happened')
    const lines = written().split('\n').slice(0, -1)
    expect(lines.map((line) => /^deckhand: \S+Z (\w+) happened$/.exec(line)?.[1])).toEqual(SHOWN[level])
  })
})

describe('an error', () => {
  class OwnError extends Error {
    override readonly name = 'OwnError'
  }
  const error = new OwnError('why', { cause: new Error('the cause') })

  it.each([
    ['said by the sentence: why', error, 'said by the sentence: why'],
    ['failed', error, 'failed: why'],
    ['failed', new Error('two\nlines'), 'failed: two lines'],
    ['failed', { of: 'x', error: new Error('why') }, "failed { of: 'x', error: Error: why }"],
  ])('is told in one line without a stack: %s %j', (message, data, line) => {
    const { log, written } = logTo('warn')
    log('error', message, data)
    expect(written().replace(/^deckhand: \S+Z error /, '')).toBe(`${line}\n`)
  })

  it('has its stack and its causes at debug', () => {
    const { log, written } = logTo('debug')
    log('error', 'failed', error)
    expect(written()).toMatch(/error failed OwnError: why\n +at [^]*\[cause\]: Error: the cause\n +at /)
  })
})

describe('a file', () => {
  it('gets the lines, for its owner only', async () => {
    const file = join(await temporaryDirectory(), 'deck.log')
    const { log, written } = logTo('debug', file)
    log('debug', 'one', { detail: 1 })
    log('error', 'two', new Error('why'))
    expect(await readFile(file, 'utf8')).toMatch(
      /^\S+Z debug one \{ detail: 1 \}\n\S+Z error two Error: why\n/,
    )
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(written()).toBe('')
  })

  it('that can not be written is told at once, with the reason, and leaves warnings to stderr', async () => {
    const file = join(await temporaryDirectory(), 'missing', 'deck.log')
    const { log, written } = logTo('debug', file)
    const [warning, ...more] = written().split('\n')
    expect(warning).toMatch(/^deckhand: \S+Z warn DECKHAND_LOG can not be written to /)
    expect(warning).toContain(`to ${file}: ENOENT: no such file or directory; `)
    expect(more).toEqual([''])
    log('debug', 'not for stderr')
    log('warn', 'still said')
    expect(written()).toMatch(/^deckhand: \S+Z warn still said\n$/)
  })

  it('that can not be written any more is told once, with the line that was lost', async () => {
    const folder = join(await temporaryDirectory(), 'logs')
    await mkdir(folder)
    const { log, written } = logTo('debug', join(folder, 'deck.log'))
    expect(written()).toBe('')
    await rm(folder, { recursive: true })
    log('warn', 'one')
    log('warn', 'two')
    expect(written()).toMatch(/^deckhand: .* ENOENT: .*\ndeckhand: \S+ warn one\ndeckhand: \S+ warn two\n$/)
  })

  it('keeps long texts short, and hides secrets in long lines soon', () => {
    const { log, written } = logTo('debug')
    const before = performance.now()
    log('warn', `${'a.'.repeat(200_000)}${'&x'.repeat(200_000)}`, { text: 'x'.repeat(1_000_000) })
    expect(performance.now() - before).toBeLessThan(5000)
    expect(written()).toContain('more characters')
  })

  it('survives details that can not be shown', () => {
    const { log, written } = logTo('debug')
    const hostile = {
      [Symbol.for('nodejs.util.inspect.custom')]: () => {
        throw new Error('no')
      },
    }
    log('warn', 'said', hostile)
    expect(written()).toContain('warn said (details that can not be shown)')
  })
})

describe('secrets', () => {
  it('are hidden by value, once anybody holds them: keys, variables named like credentials, what servers get', () => {
    const { log, written } = logTo('debug', undefined, {
      SOME_SERVICE_TOKEN: 'value-of-a-variable',
      HARMLESS: 'a harmless value',
    })
    const key = new Secret('value-of-a-key')
    concealAll({ PLAIN_NAME: 'value-for-a-server', PATH: '/usr/bin', SHORT: 'on' })
    const cause = new Error('sent value-of-a-key', { cause: { headers: ['value-for-a-server'] } })
    log('error', `value-of-a-variable ${key.reveal()} on a harmless value /usr/bin`, { cause })
    const line = written()
    expect(line).toContain('error [hidden] [hidden] on a harmless value /usr/bin')
    expect(line).not.toMatch(/value-of|value-for/)
  })

  it('are hidden whole where one is a part of another', () => {
    conceal('mnopqrst')
    conceal('mnopqrstuvwx')
    expect(withoutSecrets('<mnopqrstuvwx>')).toBe('<[hidden]>')
  })

  it.each([
    ['authorization: Bearer abcdef123456', /abcdef/],
    ["{ Authorization: 'Basic dXNlcjpwYXNz' }", /dXNl/],
    ["{ 'x-api-key': 'shhhh', other: 1 }", /shhhh/],
    ["{ 'set-cookie': 'sid=1234' }", /1234/],
    ['a key sk-ant-api03-abcdefghijkl in a sentence', /abcdefghijkl/],
    ['https://someone:hunter2@example.com/x', /hunter2/],
    ['GET https://example.com/mcp?api_key=hunter2&x=1', /hunter2/],
    ['https://example.com/callback?code=hunter2&state=1', /hunter2/],
    ['AIzaSyA1234567890abcdefghijklmn', /1234567890/],
  ])('are hidden by their form: %s', (text, secret) => {
    expect(withoutSecrets(text)).not.toMatch(secret)
    expect(withoutSecrets(text)).toContain('[hidden]')
  })

  it.each([
    'MCP server "files" is left out: command: expected string',
    'the request took 12 ms { tokens: 100 }',
    'https://example.com/path?page=2',
    'read src/keys/token.ts',
  ])('leave honest sentences alone: %s', (text) => {
    expect(withoutSecrets(text)).toBe(text)
  })
})

describe('the log of the built command', () => {
  it('tells at trace what a turn took, and none of the secrets that went through', async () => {
    const root = await temporaryDirectory()
    await mkdir(join(root, 'logs'))
    const file = join(root, 'logs', 'deck.log')
    const { client, cwd } = await scriptedBin({
      turns: [
        {
          steps: [
            { do: [{ call: { id: 'r', name: 'read', arguments: { file_path: 'a' } } }] },
            { do: [{ text: 'ok' }] },
          ],
        },
      ],
      files: { a: 'TEXT-OF-A-FILE' },
      env: { DECKHAND_LOG: file, ANTHROPIC_API_KEY: 'hush-key-1', MY_TOKEN: 'hush-token-2' },
    })
    await client.initialize()
    const program = 'console.error(process.env.PLAIN, process.env.MY_TOKEN); process.exit(3)'
    const { sessionId } = await client.request('session/new', {
      cwd,
      mcpServers: [
        {
          name: 'loud',
          command: process.execPath,
          args: ['-e', program],
          env: [{ name: 'PLAIN', value: 'hush-server-3' }],
        },
        {
          type: 'http',
          name: 'far',
          url: 'http://127.0.0.1:9/mcp',
          headers: [{ name: 'X-Own', value: 'hush-header-4' }],
        },
      ],
    })
    await client.prompt(sessionId, 'TEXT-OF-A-PERSON')
    const read = () => readFile(file, 'utf8')
    for (const server of ['"loud"', '"far"'])
      await vi.waitFor(async () => expect(await read()).toContain(`MCP server ${server}`), 15_000)
    await client.end()
    const log = await read()
    expect(log).toMatch(/ info deckhand \d/)
    expect(log).toMatch(/ debug execute_tool read: \d+ ms \{.*'gen_ai.tool.call.id': 'r' \}/)
    expect(log).toMatch(/ debug invoke_agent deckhand: \d+ ms /)
    expect(log).not.toMatch(/hush-|TEXT-OF/)
    expect(client.stderr).toBe('')
  })
})
