// The terminal card: an agent-owned terminal where the client draws one, a console fence elsewhere.
import { textOf } from '#model/content.ts'
import { visible } from '#registry/visible.ts'
import { type TerminalCallView, type TerminalResultView, fence } from '#registry/view.ts'
import { textContent, type CallCard, type CardContext, type ResultCard, type ResultInput } from './card.ts'
import { cleanTerminalText } from '#workspace/terminal-text.ts'
import { cutBytes } from '#workspace/text.ts'
import { clipText } from './clip.ts'
import { absolutePath } from './path.ts'

const TITLE_LINES = 20
const LIVE_TAIL = 4 * 1024

export function terminalCall(view: TerminalCallView, ctx: CardContext): CallCard {
  const cwd = view.cwd === undefined ? ctx.cwd : absolutePath(view.cwd, ctx.cwd)
  const description = view.description ? [textContent(clipText(view.description))] : []
  return {
    title: shortCommand(view.title),
    kind: 'execute',
    content: ctx.profile.terminalMeta ? [{ type: 'terminal', terminalId: ctx.callId }] : description,
    locations: [],
    rawInput: { command: view.title, ...(view.description && { description: view.description }), cwd },
    ...(ctx.profile.terminalMeta && { terminal: { cwd } }),
  }
}

/** What the prompt shows of a command: all of it. */
export function terminalPrompt(view: TerminalCallView, card: CallCard): CallCard {
  const whole = clipText(visible(view.title))
  if (card.terminal) return { ...card, title: whole }
  return { ...card, content: [textContent(fence(whole, 'sh')), ...card.content] }
}

export function terminalResult(view: TerminalResultView, input: ResultInput, ctx: CardContext): ResultCard {
  const exitCode = view.exitCode ?? null
  const signal = view.signal ?? null
  if (ctx.profile.terminalMeta) return { terminal: { data: lastData(view, input), exitCode, signal } }
  return { content: [textContent(consoleText(view, input))] }
}

/** The end of a running command's output, for clients without terminals. */
export function liveConsole(output: string): CallCard['content'] {
  const text = cleanTerminalText(output.slice(-4 * LIVE_TAIL).toWellFormed())
  return [textContent(fence(cutBytes(text, LIVE_TAIL, 'tail'), 'console'))]
}

function lastData(view: TerminalResultView, input: ResultInput): string {
  const { output } = input
  const tail = output.paused ? `\n${cutBytes(view.output ?? output.text, LIVE_TAIL, 'tail')}` : ''
  const rest = output.any ? tail : clipText(view.output ?? '', undefined, 'tail')
  return [errorOf(view, input), view.note ?? ''].reduce(
    (data, line) =>
      line === '' ? data : `${data}${gapAfter(output.any ? output.text + data : data)}${line}\n`,
    rest,
  )
}

function gapAfter(text: string): string {
  return text === '' || text.endsWith('\n') ? '' : '\n'
}

function consoleText(view: TerminalResultView, input: ResultInput): string {
  const lines = [cleanTerminalText(view.output ?? input.output.text), errorOf(view, input)]
  const output = lines.map((text) => text.replace(/[\r\n]+$/, '')).filter((text) => text !== '')
  const body =
    output.length === 0 ? '(no output)' : fence(clipText(output.join('\n'), undefined, 'tail'), 'console')
  const status = [
    view.exitCode === undefined || view.exitCode === 0 ? '' : `exit ${view.exitCode}`,
    view.signal === undefined ? '' : `killed by ${view.signal}`,
    view.note ?? '',
  ].filter((part) => part !== '')
  return status.length === 0 ? body : `${body}\n${status.join(', ')}`
}

/** The error's text, where the tool's own view does not say what happened. */
function errorOf(view: TerminalResultView, input: ResultInput): string {
  const told = (view.output ?? '') !== '' || view.note !== undefined
  if (!input.isError || told) return ''
  return clipText(textOf([...input.content]) || 'failed', undefined, 'tail')
}

function shortCommand(whole: string): string {
  const command = clipText(whole)
  const lines = command.split('\n')
  if (lines.length <= TITLE_LINES) return command
  return [...lines.slice(0, TITLE_LINES), `… ${lines.length - TITLE_LINES} more lines`].join('\n')
}
