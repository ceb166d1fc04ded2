import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { painter, type Canvas, type Depth } from '#cli/draw/paint.ts'
import { draw, drawAll, drawAsked, emptyTranscript } from '#cli/draw/transcript.ts'
import { wrap } from '#cli/draw/text.ts'
import { updates } from './updates.ts'

const snapshots = join(import.meta.dirname, 'snapshots')
const canvas = (width: number, depth: Depth = 'none'): Canvas => ({ width, paint: painter(depth) })

const files = ['wide.txt', 'narrow.txt', 'basic.txt', 'full.txt']

describe('a session in the terminal', () => {
  it.each([
    ['wide.txt', canvas(80)],
    ['narrow.txt', canvas(40)],
    ['basic.txt', canvas(60, 'basic')],
    ['full.txt', canvas(60, 'full')],
  ])('looks like %s', async (file, on) => {
    await expect(drawAll(on, updates)).toMatchFileSnapshot(join(snapshots, file))
  })

  it('has no picture that nothing draws', () => {
    expect(readdirSync(snapshots).toSorted()).toEqual([...files, 'asked.txt', 'permission.txt'].toSorted())
  })

  it.each([40, 61, 100])('keeps every line within %i columns', (width) => {
    const wide = drawAll(canvas(width, 'full'), updates)
      .split('\n')
      .filter((line) => stringWidth(line) > width)
    expect(wide).toEqual([])
  })

  it('says the same with and without colours', () => {
    expect(stripVTControlCharacters(drawAll(canvas(60, 'full'), updates))).toBe(drawAll(canvas(60), updates))
  })

  it('shows a diff once when it was asked about', async () => {
    const on = canvas(60)
    const call = updates.findIndex(
      (update) => update.sessionUpdate === 'tool_call' && update.toolCallId === 'e',
    )
    const [announced] = draw(on, emptyTranscript, updates[call] as SessionUpdate)
    const [asked, card] = drawAsked(on, announced, { toolCallId: 'e' })
    const [, after] = draw(on, asked, updates[call + 1] as SessionUpdate)
    expect(after).not.toContain('╭')
    await expect(card + after).toMatchFileSnapshot(join(snapshots, 'asked.txt'))
  })

  it('says all of why a command did not run, however narrow it is', () => {
    const text = 'Error: the user rejected this call of the tool; do not repeat it unchanged'
    const drawn = drawAll(canvas(40), [
      {
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        title: 'make',
        kind: 'execute',
        status: 'pending',
        content: [{ type: 'terminal', terminalId: 't' }],
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 't',
        status: 'failed',
        _meta: {
          terminal_output: { terminal_id: 't', data: `${text}\n` },
          terminal_exit: { terminal_id: 't', exit_code: null, signal: null },
        },
      },
    ])
    const rows = drawn.split('\n').filter((line) => line.startsWith('│'))
    expect(rows.map((row) => row.slice(2, -2).trim()).join(' ')).toBe(text)
  })

  it('breaks lines without leaving the space of the break on either side', () => {
    for (let width = 8; width < 40; width += 1) {
      const lines = wrap('  one  two three four-five-six seven eight nine ten', width)
      expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
      expect(lines.slice(1).filter((line) => line !== line.trimStart())).toEqual([])
      expect(lines[0]).toMatch(/^  one/)
    }
  })

  it('shows whole what is asked about', () => {
    const on = canvas(60)
    const steps = Array.from({ length: 30 }, (_, index) => `Step ${index}`).join('\n\n')
    const plan = `${steps}\n\n\`\`\`sh\n${'x'.repeat(100)} END\n\`\`\``
    const [, card] = drawAsked(on, emptyTranscript, {
      toolCallId: 'p',
      title: 'Plan to carry out',
      kind: 'switch_mode',
      content: [{ type: 'content', content: { type: 'text', text: plan } }],
    })
    expect(card).toContain('Plan to carry out')
    expect(card).toContain('Step 29')
    expect(card).toContain('END')
    expect(card).not.toMatch(/✔|more line/)
  })

  it.each([
    [{ a: 1, b: { c: ['x'] } }, true],
    [{ url: 'http://h/p' }, false],
    [{ url: 'http://h/p', more: true }, true],
    [undefined, false],
  ])('shows the input %j of what is asked about, where the title does not say it: %s', (rawInput, shown) => {
    const asked = { toolCallId: 'm', title: 'Get `http://h/p` (server)', kind: 'other' as const, rawInput }
    const [state, card] = drawAsked(canvas(60), emptyTranscript, asked)
    for (const [name, value] of Object.entries(rawInput ?? {})) {
      expect(card.includes(`"${name}":`)).toBe(shown)
      if (typeof value === 'string') expect(card.includes(`"${value}"`)).toBe(shown)
    }
    expect(card !== '').toBe(shown)
    expect(state.calls.get('m')?.content).toEqual([])
  })

  it('lets no text through to the terminal that it would obey', () => {
    const evil = 'a\u001b]0;b\u0007\u009b2J\r\u001b[2Jc\nd'
    const text = { type: 'text' as const, text: evil }
    const content = [{ type: 'content' as const, content: text }]
    const failed = { title: evil, status: 'failed' as const, content }
    const over = { title: evil, status: 'completed' as const, content }
    const diff = { type: 'diff' as const, path: evil, oldText: evil, newText: `${evil}x` }
    const entry = { content: evil, priority: 'high' as const }
    const hostile: SessionUpdate[] = [
      { sessionUpdate: 'user_message_chunk', content: text },
      { sessionUpdate: 'agent_message_chunk', content: text },
      { sessionUpdate: 'agent_thought_chunk', content: text },
      { sessionUpdate: 'tool_call', toolCallId: '1', ...failed, kind: 'other' },
      { sessionUpdate: 'tool_call', toolCallId: '2', ...over, kind: 'other' },
      { sessionUpdate: 'tool_call', toolCallId: '3', ...over, kind: 'execute' },
      { sessionUpdate: 'tool_call', toolCallId: '4', ...over, kind: 'edit', content: [diff] },
      { sessionUpdate: 'plan', entries: [{ ...entry, status: 'pending' }] },
      { sessionUpdate: 'plan', entries: [{ ...entry, status: 'in_progress' }] },
    ]
    const drawn = hostile.map((update) => drawAll(canvas(60), [update])).join('')
    expect(drawn + drawAll(canvas(60), hostile)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    const [state] = draw(canvas(60), emptyTranscript, hostile[3] as SessionUpdate)
    expect(drawAsked(canvas(60), state, { toolCallId: '1' })[1]).not.toContain('\u001b')
  })

  it('keeps what comes while a terminal runs for after its end', () => {
    const on = canvas(60)
    const call = updates.findIndex(
      (update) => update.sessionUpdate === 'tool_call' && update.toolCallId === 't',
    )
    const [before, end] = [updates.slice(call, call + 3), updates.slice(call + 3, call + 5)]
    const text = drawAll(on, [...before, ...updates.slice(5, 7), ...end])
    expect(text.indexOf('exit 3')).toBeGreaterThan(0)
    expect(text.indexOf('Read cart.js')).toBeGreaterThan(text.indexOf('exit 3'))
  })

  it('shows what a call of no known kind found: one line beside its title, more in a frame', () => {
    const call = (text: string): SessionUpdate => ({
      sessionUpdate: 'tool_call',
      toolCallId: 'o',
      title: 'Query `orders`',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text } }],
    })
    expect(drawAll(canvas(60), [call('2 rows')])).toBe('\n✔ Query orders · 2 rows\n')
    expect(drawAll(canvas(60), [call('first\nsecond')]).split('\n')).toEqual([
      '',
      expect.stringContaining('● Query orders'),
      expect.stringContaining('│ first'),
      expect.stringContaining('│ second'),
      expect.stringContaining('2 lines'),
      '',
    ])
  })

  it('passes over updates of calls that are over', () => {
    const on = canvas(60)
    const late: SessionUpdate = { sessionUpdate: 'tool_call_update', toolCallId: 'r', status: 'failed' }
    expect(drawAll(on, [...updates.slice(5, 7), late])).toBe(drawAll(on, updates.slice(5, 7)))
  })
})
