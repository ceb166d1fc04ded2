// The terminal card, drawn while the command runs: command, output line by line, exit status.
import { bottom, more, row, rows, top } from './frame.ts'
import type { Canvas } from './paint.ts'
import { linesOf, openly } from './text.ts'

/** Lines of output that are shown; the rest is counted. */
const MAX_LINES = 19

export interface TerminalExit {
  exitCode?: number | null
  signal?: string | null
}

/** How far a terminal is drawn. `rest` is the line that has no end yet. */
export interface TerminalState {
  readonly rest: string
  readonly shown: number
  readonly hidden: number
}

export const freshTerminal: TerminalState = { rest: '', shown: 0, hidden: 0 }

export function terminalTop(canvas: Canvas, command: string): string[] {
  const [first = '', ...more] = linesOf(openly(command))
  return [
    top(canvas, { icon: '$', text: first, tag: 'terminal' }),
    ...more.map((line) => row(canvas, `  ${line}`, 'strong')),
  ]
}

/** `whole`: lines that are too long go on below; otherwise they are cut. */
export function terminalOutput(
  canvas: Canvas,
  state: TerminalState,
  data: string,
  whole = false,
): [TerminalState, string[]] {
  const text = state.rest + data
  const end = text.lastIndexOf('\n') + 1
  const lines = linesOf(text.slice(0, end))
  const room = Math.max(0, MAX_LINES - state.shown)
  const drawn = lines.slice(0, room)
  const hidden = state.hidden + lines.length - drawn.length
  return [
    { rest: text.slice(end), shown: state.shown + drawn.length, hidden },
    drawn.flatMap((line) => output(canvas, line, whole)),
  ]
}

export function terminalBottom(
  canvas: Canvas,
  state: TerminalState,
  exit: TerminalExit,
  whole = false,
): string[] {
  const [last, tail] = state.rest === '' ? [state, []] : terminalOutput(canvas, state, '\n', whole)
  const hidden = last.hidden > 0 ? [more(canvas, last.hidden)] : []
  const none = last.shown === 0 ? [row(canvas, '(no output)', 'dim')] : []
  const [status, style] = statusOf(exit)
  return [...tail, ...none, ...hidden, bottom(canvas, status, style)]
}

function statusOf({ exitCode, signal }: TerminalExit): [string, 'good' | 'bad'] {
  if (typeof exitCode === 'number')
    return exitCode === 0 ? ['✔ exit 0', 'good'] : [`✖ exit ${exitCode}`, 'bad']
  return [signal ? `✖ killed by ${signal}` : '✖ did not finish', 'bad']
}

function output(canvas: Canvas, line: string, whole: boolean): string[] {
  const style = line.startsWith('✔')
    ? 'good'
    : line.startsWith('✖')
      ? 'bad'
      : line.startsWith('ℹ')
        ? 'dim'
        : 'plain'
  return whole ? rows(canvas, line, style) : [row(canvas, line, style)]
}
