import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { textShow } from '#cli/run-show.ts'
import { fakeHost } from './fake-host.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const screen = (terminal: boolean, env: NodeJS.ProcessEnv = {}) => {
  let shown = ''
  const host = fakeHost({ env: { NO_COLOR: '1', ...env } })
  Object.assign(host.stdout, { isTTY: terminal, write: (text: string) => ((shown += text), true) })
  return { show: textShow(host), shown: () => shown }
}
/** What a terminal shows of lines that were taken back. */
const seen = (shown: string): string => shown.replaceAll(/[^\n]*\r\u001b\[K/g, '')
const say = (text: string) =>
  ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId: 'm' }) as const

describe('the line of a terminal on which nothing comes', () => {
  it('counts the seconds, and leaves nothing behind', () => {
    const { show, shown } = screen(true)
    vi.advanceTimersByTime(1000)
    expect(shown()).toBe('')
    vi.advanceTimersByTime(2600)
    expect(seen(shown())).toMatch(/^⋯ 4 s, Ctrl-C cancels$/)
    show.update(say('Well. '))
    expect(seen(shown())).toBe('\n● Well.')
    vi.advanceTimersByTime(9000)
    show.update(say('Done.'))
    show.end('end_turn')
    vi.advanceTimersByTime(9000)
    expect(seen(shown())).toBe('\n● Well. Done.\n')
  })

  it.each([
    ['a pipe', false, {}],
    ['a terminal that takes no line back', true, { TERM: 'dumb' }],
  ])('is not drawn into %s', (_name, terminal, env) => {
    const { show, shown } = screen(terminal, env)
    vi.advanceTimersByTime(9000)
    show.update(say('Well.'))
    show.end('end_turn')
    expect(shown()).toBe('\n● Well.\n')
  })
})
