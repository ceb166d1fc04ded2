// A conversation with every kind of call, as live events; what is logged of it is its replay.
import type { AnyEvent } from '#session/event.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import { code } from '#registry/view.ts'
import type { Presenters } from '#agent/port.ts'
import type { ToolCallView, ToolResultView } from '#registry/view.ts'

export const CWD = '/home/dev/app'
const LIVE = new Set(['text_delta', 'thought_delta', 'call_start', 'call_delta', 'tool_progress'])

/** The events that a log keeps. */
export function logged(events: readonly AnyEvent[]): AnyEvent[] {
  return events.filter((event) => !LIVE.has(event.type))
}

function text(args: JsonValue, key: string): string | undefined {
  const value = isJsonObject(args) ? args[key] : undefined
  return typeof value === 'string' ? value : undefined
}

const CALLS: Record<string, (args: JsonValue) => ToolCallView | undefined> = {
  read: (args) => {
    const path = text(args, 'path')
    if (path === undefined) return undefined
    return { card: 'generic', title: `Read ${code(path)}`, kind: 'read', locations: [{ path }] }
  },
  write: (args) => {
    const path = text(args, 'path')
    const newText = text(args, 'content')
    if (path === undefined || newText === undefined) return undefined
    return { card: 'diff', title: `Write ${path}`, diffs: [{ path, oldText: null, newText }] }
  },
  bash: (args) => {
    const command = text(args, 'command')
    return command === undefined ? undefined : { card: 'terminal', title: command }
  },
}

const RESULTS: Record<string, (args: JsonValue, isError: boolean) => ToolResultView | undefined> = {
  read: (args, isError) => {
    const path = text(args, 'path')
    if (path === undefined || isError) return undefined
    return { card: 'read', path, offset: 1, lines: [{ number: 1, text: 'one' }], totalLines: 1 }
  },
  bash: (_args, isError) => (isError ? undefined : { card: 'terminal', output: 'a\nb\n', exitCode: 0 }),
}

export function presenters(name: string): Presenters | undefined {
  const call = CALLS[name]
  const result = RESULTS[name]
  if (!call && !result) return undefined
  return {
    ...(call && { presentCall: call }),
    ...(result && { presentResult: (args, { isError }) => result(args, isError) }),
  }
}

/** The live and logged events of one call, its arguments in pieces of `size` characters. */
export function callEvents(
  callId: string,
  name: string,
  args: JsonValue,
  size = 16,
): { stream: AnyEvent[]; part: JsonValue } {
  const raw = JSON.stringify(args)
  const stream: AnyEvent[] = [{ type: 'call_start', messageId: 'm', callId, name }]
  for (let at = 0; at < raw.length; at += size) {
    stream.push({ type: 'call_delta', callId, delta: raw.slice(at, at + size) })
  }
  return { stream, part: { type: 'tool_call', callId, name, arguments: args } }
}

export function ok(callId: string, content = 'done'): AnyEvent {
  return { type: 'tool_result', callId, isError: false, content: [{ type: 'text', text: content }] }
}

/** One turn with text, thoughts, a read, a write that is rejected, a command with output, a withdrawn call, todos, usage. */
export function conversation(size = 16): AnyEvent[] {
  const read = callEvents(
    'c-read',
    'read',
    { path: `${CWD}/src/a-rather-long-name/of-a-file-that-is-read.ts`, note: 'x'.repeat(200) },
    size,
  )
  const write = callEvents(
    'c-write',
    'write',
    { path: `${CWD}/b.ts`, content: 'export const b = 1\n'.repeat(30) },
    size,
  )
  const bash = callEvents('c-bash', 'bash', { command: 'npm test', note: 'y'.repeat(300) }, size)
  const gone = callEvents('c-gone', 'read', { path: `${CWD}/gone.ts`, note: 'z'.repeat(300) }, size)
  const pieces = (type: 'text_delta' | 'thought_delta', messageId: string, whole: string): AnyEvent[] =>
    (whole.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []).map((piece) => ({ type, messageId, text: piece }))
  return [
    { type: 'turn_start', turnId: 't1' },
    { type: 'step_start', step: 1, model: 'scripted/demo' },
    ...pieces('thought_delta', 'm1', 'Let me look at 漢字🙂 first.'),
    ...pieces('text_delta', 'm1', 'I read the file, then write another.'),
    ...read.stream,
    ...write.stream,
    ...bash.stream,
    {
      type: 'assistant_message',
      message: {
        id: 'm1',
        parts: [
          { type: 'thought', text: 'Let me look at 漢字🙂 first.' },
          { type: 'text', text: 'I read the file, then write another.' },
          ...[read, write, bash].map((call) => call.part as never),
        ],
      },
    },
    { type: 'tool_call', callId: 'c-read', name: 'read', messageId: 'm1' },
    { type: 'tool_call', callId: 'c-write', name: 'write', messageId: 'm1' },
    { type: 'tool_call', callId: 'c-bash', name: 'bash', messageId: 'm1' },
    {
      type: 'step_end',
      step: 1,
      finish: 'tool_calls',
      usage: { inputTokens: 900, outputTokens: 100 },
      contextWindow: 200_000,
    },
    { type: 'tool_started', callId: 'c-read' },
    { type: 'tool_progress', callId: 'c-read', message: 'reading', done: 1, total: 2 },
    ok('c-read'),
    {
      type: 'tool_preview',
      callId: 'c-write',
      view: {
        card: 'diff',
        title: 'Write b.ts',
        diffs: [{ path: `${CWD}/b.ts`, oldText: 'old\n', newText: 'new\n' }],
      },
    },
    { type: 'approval_asked', callId: 'c-write', toolName: 'write' },
    { type: 'approval_decided', callId: 'c-write', decision: { outcome: 'rejected' } },
    {
      type: 'tool_result',
      callId: 'c-write',
      isError: true,
      content: [{ type: 'text', text: 'Rejected.' }],
      error: { message: 'Rejected.' },
    },
    { type: 'tool_started', callId: 'c-bash' },
    { type: 'tool_output', callId: 'c-bash', data: 'a\n' },
    { type: 'tool_output', callId: 'c-bash', data: 'b\n' },
    ok('c-bash', 'a\nb'),
    { type: 'todos', todos: [{ content: 'one', status: 'completed', priority: 'high' }] },
    { type: 'title', title: 'A title' },
    { type: 'retry', attempt: 1, delayMs: 500, reason: 'overloaded' },
    { type: 'step_start', step: 2, model: 'scripted/demo' },
    ...pieces('text_delta', 'm2', 'And now'),
    ...gone.stream,
    {
      type: 'assistant_message',
      message: { id: 'm2', parts: [{ type: 'text', text: 'And now' }] },
      interrupted: true,
    },
    {
      type: 'call_withdrawn',
      callId: 'c-gone',
      name: 'read',
      messageId: 'm2',
      reason: 'The turn was cancelled.',
    },
    { type: 'step_end', step: 2, finish: 'cancelled' },
    { type: 'turn_end', turnId: 't1', stopReason: 'cancelled' },
  ]
}
