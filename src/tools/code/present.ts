// The outer card: the program, then what it printed and returned. Pure.
import type { JsonValue } from '#json/value.ts'
import type { ContentBlock, TextBlock } from '#model/content.ts'
import { fence, type ToolCallView, type ToolResultView } from '#registry/view.ts'
import { cutUnits } from '#workspace/text.ts'

/** What is kept of a run for its card. */
export interface RunCard {
  logs: string[]
  result?: JsonValue
  /** Calls without a card of their own. */
  withoutCard?: number
  /** The failure, its kind in front. */
  failure?: string
}

/** Characters of each part that a card shows; the whole is in the log. */
const MAX_SHOWN = 32 * 1024

export function callView(code: string, description: string): ToolCallView {
  return {
    card: 'generic',
    title: description.replaceAll(/\s+/g, ' ').trim() || 'Run a program',
    kind: 'execute',
    rawInput: { code, description },
    content: [fenced(code, 'ts')],
  }
}

export function resultView(code: string, { logs, result, withoutCard, failure }: RunCard): ToolResultView {
  const content: TextBlock[] = [fenced(code, 'ts')]
  if (logs.length > 0) content.push(fenced(logs.join('\n'), 'console'))
  if (result !== undefined) content.push(fenced(resultText(result), typeof result === 'string' ? '' : 'json'))
  if (failure !== undefined) content.push(fenced(failure, ''))
  if (withoutCard !== undefined) {
    const calls = withoutCard === 1 ? 'call that only looked is' : 'calls that only looked are'
    content.push({ type: 'text', text: `${withoutCard} more ${calls} not shown.` })
  }
  return { card: 'generic', content }
}

/** What the model reads of a run that succeeded. */
export function renderRun({ logs, result }: RunCard): ContentBlock[] {
  const parts = [...logs, ...(result === undefined ? [] : [resultText(result)])]
  const text = parts.join('\n')
  return [{ type: 'text', text: text === '' ? '(run_code completed with no output)' : text }]
}

function resultText(result: JsonValue): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2)
}

function fenced(text: string, language: string): TextBlock {
  const shown = cutUnits(text, MAX_SHOWN)
  const missing = text.length - shown.length
  const more = missing === 0 ? '' : `\n… ${missing.toLocaleString('en-US')} more characters`
  return { type: 'text', text: fence(`${shown}${more}`.replace(/\n+$/, ''), language) }
}
