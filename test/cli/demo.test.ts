import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demo } from '#cli/demo.ts'
import type { Host } from '#cli/host.ts'
import { BIN, ROOT, runBin, type Ran } from './run-bin.ts'

describe('demo without a terminal', () => {
  let ran: Ran
  let project = ''
  beforeAll(async () => {
    ran = await runBin(['demo', '--keep'], { env: { COLUMNS: '80' } })
    project = /The project is in (\S+)/.exec(ran.stdout)?.[1] ?? ''
  })
  afterAll(() => rm(dirname(project), { recursive: true, force: true }))

  it('runs to its end and exits with 0', () => {
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' })
    expect(ran.stdout).toContain("The sample's tests pass")
  })

  it('draws a plan, both files, a failing and a passing run, a diff and its questions', () => {
    for (const text of [
      '≡ Plan',
      '▤ Read cart.test.js',
      '▤ Read cart.js',
      '✖ exit 1',
      '✔ exit 0',
      '± Edit cart.js',
      '? Permission',
    ]) {
      expect(ran.stdout).toContain(text)
    }
    expect(ran.stdout).toMatch(
      /│ 10 {2}- {3}const taxes = .*\n.*\n│ 10 {2}\+ {3}return Math\.round\(subtotal\(items\) \* rate\)/,
    )
  })

  it('does not claim an option that was not given', () => {
    expect(ran.stdout).toContain('Nobody can be asked on this input: the demo answers itself.')
    expect(ran.stdout).toContain('✔ demo answers: nobody to ask')
    expect(ran.stdout).not.toContain('--yes')
  })

  it('writes no escape sequence and no line that is too wide', () => {
    expect(stripVTControlCharacters(ran.stdout)).toBe(ran.stdout)
    expect(ran.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('really repairs the copy', () => {
    expect(() =>
      execFileSync(process.execPath, ['--test'], { cwd: join(ROOT, 'demo/cart'), stdio: 'ignore' }),
    ).toThrow()
    expect(() => execFileSync(process.execPath, ['--test'], { cwd: project, stdio: 'ignore' })).not.toThrow()
  })

  describe('and its stored session', () => {
    let log = ''
    beforeAll(() => {
      const sessions = join(dirname(project), 'home', 'sessions')
      log = join(sessions, readdirSync(sessions).find((name) => name.endsWith('.jsonl')) ?? '')
    })

    it('is drawn by replay as it was drawn live', async () => {
      const { code, stdout, stderr } = await runBin(['replay', log], { env: { COLUMNS: '80' } })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const live = ran.stdout.slice(ran.stdout.indexOf('❯ A test'), ran.stdout.indexOf('╭─ ◆ Done'))
      // Live, a question comes between a card and its end; replay knows the end at once.
      const cards = (text: string) =>
        text
          .split('\n')
          .filter(
            (line) =>
              /^[│╭]/.test(line) && !/Permission|❯|│ {4}[an] {2}(Reject|Always)|│ (\$|Edit)/.test(line),
          )
      expect(cards(stdout)).toEqual(cards(live))
    })

    it('is found by its id', async () => {
      const id = log.split('/').at(-1)?.replace('.jsonl', '') ?? ''
      const { code, stdout } = await runBin(['replay', id], {
        env: { DECKHAND_HOME: join(dirname(project), 'home') },
      })
      expect(code).toBe(0)
      expect(stdout).toContain('± Edit cart.js')
    })

    it.each(['zed', 'plain', 'fs-only'])('is printed as updates for %s', async (client) => {
      const { stdout } = await runBin(['replay', log, '--client', client, '--json'])
      const kinds = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { sessionUpdate: string }).sessionUpdate)
      expect(new Set(kinds)).toEqual(
        new Set([
          ...new Set(kinds),
          'user_message_chunk',
          'agent_message_chunk',
          'tool_call',
          'tool_call_update',
          'plan',
        ]),
      )
      expect(stdout.includes('terminal_exit')).toBe(client === 'zed')
    })

    it('says what is wrong with others, on stderr only', async () => {
      const { code, stdout, stderr } = await runBin(['replay', '00000000-0000-0000-0000-000000000000'])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^deckhand: there is no session .*\n$/)
    })
  })
})

/** A terminal that a test looks at and types into, each time the open question is drawn. */
function terminal(
  type: () => string | undefined,
  { term = 'xterm', hint = '↑ ↓ and enter' } = {},
): { host: Host; screen: () => string; raw: () => string } {
  let screen = ''
  let answered = 0
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin })
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString()
    const questions = screen.split(hint).length - 1
    if (questions === answered) return
    answered = questions
    const keys = type()
    if (keys !== undefined) setImmediate(() => stdin.write(keys))
  })
  const env = { ...process.env, NO_COLOR: '1', TERM: term }
  const host = {
    root: ROOT,
    version: '0.0.0',
    env,
    cwd: ROOT,
    stdin,
    stdout,
    stderr: process.stderr,
  } as unknown as Host
  return { host, screen: () => stripVTControlCharacters(screen), raw: () => screen }
}

const ENTER = '\r'
const UP = '\u001b[A'

describe('demo on a terminal', () => {
  it('waits for the person', async () => {
    const { host, screen } = terminal(() => ENTER)
    expect(await demo(host, {})).toBe(0)
    expect(screen()).toContain('✔ Allow')
    expect(screen()).toContain("The sample's tests pass")
  })

  it('takes a rejected edit: the rest goes on, and the end is told as it is', async () => {
    // Run the tests; at the edit move to the last option, take it; run the tests again.
    const keys = ['y', UP, ENTER, 'y']
    const { host, screen } = terminal(() => keys.shift())
    expect(await demo(host, {})).toBe(0)
    expect(keys).toEqual([])
    expect(screen()).toContain('✖ Edit cart.js')
    expect(screen()).toContain('still fail: 1 step was rejected')
    expect(screen()).toContain('The model follows a script')
  })

  it('is not answered by what was typed before a question could be read', async () => {
    const { host, screen } = terminal(() => {
      setTimeout(() => host.stdin.push('y'), 100)
      setTimeout(() => host.stdin.push('nnn'), 110)
      return undefined
    })
    host.stdin.push('nnn\r')
    expect(await demo(host, {})).toBe(0)
    expect(screen()).not.toContain('✔ Reject')
    expect(screen()).toContain("The sample's tests pass")
  })

  const DUMB = { term: 'dumb', hint: 'y / a / n, then enter' }

  it('asks by lines where the cursor can’t move, and again for what is no answer', async () => {
    const lines = ['y\n', 'maybe\n', '\n', 'N\n', 'y\n']
    const { host, screen, raw } = terminal(() => lines.shift(), DUMB)
    expect(await demo(host, {})).toBe(0)
    expect(lines).toEqual([])
    expect(raw()).not.toContain('\u001b')
    expect(screen()).toContain('still fail: 1 step was rejected')
  })

  it('asks nothing more there when the input ends', async () => {
    const { host, screen } = terminal(() => void setImmediate(() => host.stdin.push(null)), DUMB)
    expect(await demo(host, {})).toBe(130)
    expect(screen()).toContain('Cancelled before the end')
  })

  const hangUp = (host: Host): undefined => void setImmediate(() => host.stdin.push(null))

  it.each([
    ['Ctrl-C', () => '\u0003'],
    ['Ctrl-D', () => '\u0004'],
    ['a Ctrl-D that was typed before the question', () => '\u0000'],
    ['the end of the terminal', hangUp],
  ])('ends in an orderly way on %s, and says that it was cancelled', async (_name, type) => {
    const { host, screen } = terminal(() => type(host))
    expect(await demo(host, {})).toBe(130)
    expect(screen()).toContain('✖ cancelled')
    expect(screen()).toContain('cancelled ─╮')
    expect(screen()).toContain('Cancelled before the end')
    expect(screen()).not.toMatch(/rejected|sample's tests/)
    const project = /a copy in\s+(\S+)/.exec(screen())?.[1] ?? ''
    expect(project).not.toBe('')
    expect(existsSync(project)).toBe(false)
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)('leaves nothing behind when %s comes', async (signal) => {
    const child = spawn(process.execPath, [BIN, 'demo'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    let screen = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (!screen.includes('Plan') && (screen += chunk.toString()).includes('Plan')) child.kill(signal)
    })
    expect(await exited).toEqual([130, null])
    const project = /a copy in\s+(\S+)/.exec(screen)?.[1] ?? ''
    expect(project).not.toBe('')
    expect(existsSync(dirname(project))).toBe(false)
  })
})
