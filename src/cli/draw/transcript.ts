// A session's updates as text to append to a terminal: each step is pure, what is drawn stays drawn.
import type { ContentBlock, PlanEntry, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { askedCard } from './asked.ts'
import { callCard, isDiff, statusLine } from './card.ts'
import { fold, isOver, isTerminal, terminalNews, type Call } from './calls.ts'
import type { Canvas, Style } from './paint.ts'
import { planCard, planLine } from './plan.ts'
import { beginProse, continueProse, endProse, type Prose } from './prose.ts'
import { linesOf, wrap } from './text.ts'
import { freshTerminal, terminalBottom, terminalOutput, terminalTop } from './terminal.ts'

export interface Transcript {
  readonly calls: ReadonlyMap<string, Call>
  /** The text that is being streamed, and whose. */
  readonly prose?: Prose & { readonly speaker: Speaker }
  /** The call whose terminal frame is open, and what waits for its end. */
  readonly open?: string
  readonly held: string
  /** Entries of the plan as last drawn, and how far they were. */
  readonly plan: string
  readonly progress: string
  /** Whether the last thing drawn was a single line, so that another one may follow without a gap. */
  readonly tight: boolean
}
type Speaker = 'user' | 'agent' | 'thought'
type Drawn = [Transcript, string]

const VOICES: Record<Speaker, readonly [icon: string, iconStyle: Style, style: Style]> = {
  user: ['❯', 'accent', 'strong'],
  agent: ['●', 'accent', 'plain'],
  thought: ['✻', 'dim', 'thought'],
}

export const emptyTranscript: Transcript = {
  calls: new Map(),
  held: '',
  plan: '',
  progress: '',
  tight: false,
}

const COMPACTED = '⋯ the conversation was summarized for the model here'

/** A whole session at once. */
export function drawAll(canvas: Canvas, updates: Iterable<SessionUpdate>): string {
  let state = emptyTranscript
  let text = ''
  for (const update of updates) {
    const [next, more] = draw(canvas, state, update)
    state = next
    text += more
  }
  return text + close(canvas, state)[1]
}

export function draw(canvas: Canvas, state: Transcript, update: SessionUpdate): Drawn {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return say(canvas, state, 'user', update.content)
    case 'agent_message_chunk':
      return say(canvas, state, 'agent', update.content)
    case 'agent_thought_chunk':
      return say(canvas, state, 'thought', update.content)
    case 'tool_call':
    case 'tool_call_update':
      return callNews(canvas, state, update)
    case 'plan':
      return plan(canvas, state, update.entries)
    case 'notice':
      return noticeLines(canvas, state, update)
    case 'compaction_update':
      return update.status === 'completed'
        ? lineOf(canvas, state, canvas.paint('dim', COMPACTED))
        : [state, '']
    case 'available_commands_update':
    case 'current_mode_update':
    case 'config_option_update':
    case 'session_info_update':
    case 'usage_update':
    case 'compaction_summary_chunk':
      return [state, '']
    default:
      return [state, '']
  }
}

/** Draws the card that a question is about above it, where it has more than a title. */
export function drawAsked(canvas: Canvas, state: Transcript, update: ToolCallUpdate): Drawn {
  const call = fold(state.calls.get(update.toolCallId), update)
  const known = remember(state, { ...call, shown: isDiff(call) })
  const card = askedCard(canvas, call)
  return card ? block(canvas, known, card) : close(canvas, known)
}

/** Ends a text that is being streamed. */
export function close(canvas: Canvas, state: Transcript): Drawn {
  if (!state.prose) return [state, '']
  const { prose, ...rest } = state
  return [{ ...rest, tight: false }, endProse(canvas, prose)]
}

/** Lines with a gap before them. */
export function block(canvas: Canvas, state: Transcript, lines: readonly string[]): Drawn {
  const [closed, end] = close(canvas, state)
  const text = `${end}\n${lines.join('\n')}\n`
  return closed.open === undefined
    ? [{ ...closed, tight: false }, text]
    : [{ ...closed, held: closed.held + text }, '']
}

function say(canvas: Canvas, state: Transcript, speaker: Speaker, content: ContentBlock): Drawn {
  const text =
    content.type === 'text'
      ? content.text
      : content.type === 'resource_link'
        ? content.uri
        : `(${content.type})`
  if (state.prose?.speaker === speaker) {
    const [prose, drawn] = continueProse(canvas, state.prose, text)
    return [{ ...state, prose: { ...prose, speaker } }, drawn]
  }
  if (text.trim() === '') return [state, '']
  const [closed, end] = close(canvas, state)
  const [icon, iconStyle, style] = VOICES[speaker]
  const [begun, start] = beginProse(canvas, icon, iconStyle, style)
  const [prose, drawn] = continueProse(canvas, begun, text.trimStart())
  return [{ ...closed, prose: { ...prose, speaker } }, `${end}\n${start}${drawn}`]
}

function callNews(canvas: Canvas, state: Transcript, update: ToolCallUpdate): Drawn {
  const before = state.calls.get(update.toolCallId)
  const call = fold(before, update)
  const known = remember(state, call)
  if (before && isOver(before)) return [known, '']
  if (isTerminal(call)) return terminal(canvas, known, call, update)
  if (!isOver(call) || (call.kind === 'think' && call.status === 'completed')) return [known, '']
  if (call.shown) return lineOf(canvas, known, statusLine(canvas, call, 'applied'))
  const card = callCard(canvas, call)
  return card.length === 1 ? lineOf(canvas, known, card[0] ?? '') : block(canvas, known, card)
}

function terminal(canvas: Canvas, state: Transcript, call: Call, update: ToolCallUpdate): Drawn {
  const { data, exit } = terminalNews(update)
  let out = ''
  let now = state
  if (!call.terminal && call.status === 'pending' && data === '' && !exit) return [now, '']
  if (!call.terminal) {
    ;[now, out] = block(canvas, state, terminalTop(canvas, call.title))
    now = { ...now, open: call.id }
  }
  // Of a command that never ran the text says why.
  const whole = call.status === 'failed'
  const [output, lines] = terminalOutput(canvas, call.terminal ?? freshTerminal, data, whole)
  out += lines.map((line) => `${line}\n`).join('')
  if (!exit && !isOver(call)) return [remember(now, { ...call, terminal: output }), out]
  out += terminalBottom(canvas, output, exit ?? {}, whole)
    .map((line) => `${line}\n`)
    .join('')
  const { open: _open, ...rest } = remember(now, {
    ...call,
    status: isOver(call) ? call.status : 'completed',
  })
  return [{ ...rest, held: '', tight: false }, out + now.held]
}

function plan(canvas: Canvas, state: Transcript, entries: readonly PlanEntry[]): Drawn {
  const progress = JSON.stringify(entries.map((entry) => entry.status))
  const known = JSON.stringify(entries.map((entry) => entry.content))
  if (entries.length === 0 || (known === state.plan && progress === state.progress)) return [state, '']
  const next = { ...state, plan: known, progress }
  return known === state.plan
    ? lineOf(canvas, next, planLine(canvas, entries))
    : block(canvas, next, planCard(canvas, entries))
}

/** Notices that follow each other stand together; a long one goes on below. */
function noticeLines(
  canvas: Canvas,
  state: Transcript,
  { severity, title, description }: SessionUpdate & { sessionUpdate: 'notice' },
): Drawn {
  const text = linesOf(description ? `${title}: ${description}` : title)
  const lines = text
    .flatMap((line) => wrap(line, canvas.width - 2))
    .map((line, index) => `${index === 0 ? '!' : ' '} ${line}`)
  const style = severity === 'error' ? 'bad' : 'warn'
  return lineOf(canvas, state, lines.map((line) => canvas.paint(style, line)).join('\n'))
}

function lineOf(canvas: Canvas, state: Transcript, line: string): Drawn {
  if (!state.tight || state.prose || state.open !== undefined) {
    const [next, text] = block(canvas, state, [line])
    return [{ ...next, tight: true }, text]
  }
  return [state, `${line}\n`]
}

function remember(state: Transcript, call: Call): Transcript {
  return { ...state, calls: new Map(state.calls).set(call.id, call) }
}
