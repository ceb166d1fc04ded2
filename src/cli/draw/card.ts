// A finished call as its card: what has content in a frame, what has one line or none in one line.
import type { Diff } from '@agentclientprotocol/sdk'
import { isPlainTitle } from '#bridge/cards/title.ts'
import { type Call, isOver } from './calls.ts'
import { lineCount, textOf, textRows } from './content.ts'
import { diffCard } from './diff.ts'
import { bottom, count, top } from './frame.ts'
import type { Canvas, Style } from './paint.ts'
import { clean, clip, columnsOf, linesOf, openly } from './text.ts'

const ICONS: Readonly<Record<string, string>> = {
  read: '▤',
  search: '⌕',
  fetch: '⇣',
  edit: '±',
  delete: '✕',
  move: '→',
  execute: '$',
  think: '✻',
  switch_mode: '⇄',
}
const MAX_LINES = 12
const DIFF_STATUS: Readonly<Record<string, readonly [string, Style]>> = {
  completed: ['✔ applied', 'good'],
  failed: ['✖ not applied', 'bad'],
}

export function isDiff(call: Call): boolean {
  return call.content.some((part) => part.type === 'diff')
}

/** The card of a call that is over, or, whole, of one that is being asked about. */
export function callCard(canvas: Canvas, call: Call): string[] {
  if (isDiff(call)) return diffLines(canvas, call)
  const text = textOf(call.content)
  const failed = call.status === 'failed'
  if (isOver(call) && !failed && (text === '' || (call.kind === 'other' && lineCount(text) === 1)))
    return [statusLine(canvas, call, text)]
  const status = failed ? '✖ failed' : count(lineCount(text), 'line')
  return [
    top(canvas, { icon: ICONS[call.kind] ?? '●', text: titleOf(call), tag: call.kind }),
    ...textRows(canvas, text, isOver(call) ? MAX_LINES : undefined),
    bottom(canvas, status, failed ? 'bad' : 'dim'),
  ]
}

/** One line that says how a call ended; `done` is what a success is called. */
export function statusLine({ width, paint }: Canvas, call: Call, done = ''): string {
  const failed = call.status === 'failed'
  const outcome = failed ? (linesOf(textOf(call.content))[0] ?? 'failed') : clean(done)
  const title = clip(titleOf(call), width - 2)
  const detail = outcome === '' ? '' : clip(` · ${outcome}`, Math.max(1, width - 2 - columnsOf(title)))
  return `${failed ? paint('bad', '✖') : paint('good', '✔')} ${title}${paint('dim', detail)}`
}

/** The title without its Markdown. */
function titleOf(call: Call): string {
  const title = openly(call.title).replaceAll('\n', ' ')
  return isPlainTitle(call.kind) ? title : title.replaceAll(/`+ ?([^`]*?) ?`+/g, '$1')
}

/** What a person is asked to allow; a command as it is. */
export function questionOf(call: Call): string {
  return call.isCommand ? `$ ${call.title}` : titleOf(call)
}

function diffLines(canvas: Canvas, call: Call): string[] {
  const diffs = call.content.filter((part): part is Diff & { type: 'diff' } => part.type === 'diff')
  const text = textOf(call.content)
  const [status, statusStyle] = DIFF_STATUS[call.status] ?? ['proposed', 'warn']
  const card = diffCard(canvas, {
    title: titleOf(call),
    diffs,
    locations: call.locations,
    status,
    statusStyle,
    whole: !isOver(call),
  })
  if (text === '') return card
  return [...card.slice(0, -1), ...textRows(canvas, text, MAX_LINES), ...card.slice(-1)]
}
