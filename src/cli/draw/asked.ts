// What stands above a question: the card of the call, whole, and its input where the card does not say it.
import { fence } from '#registry/view.ts'
import { type Call, isTerminal } from './calls.ts'
import { callCard, isDiff } from './card.ts'
import { textOf } from './content.ts'
import type { Canvas } from './paint.ts'

/** undefined for a call whose title says all. */
export function askedCard(canvas: Canvas, call: Call): string[] | undefined {
  if (isDiff(call)) return callCard(canvas, call)
  if (isTerminal(call)) return undefined
  const input = isSaid(call) ? [] : [fence(JSON.stringify(call.input, null, 2), 'json')]
  const content = [...call.content, ...input.map((text) => textPart(text))]
  return textOf(content) === '' ? undefined : callCard(canvas, { ...call, content })
}

/** Whether all that the call is given stands in its title or content. */
function isSaid({ title, content, input }: Call): boolean {
  if (input === undefined || input === null) return true
  const said = `${title}\n${textOf(content)}`
  const values: unknown[] = typeof input === 'object' ? Object.values(input) : [input]
  return values.every((value) => typeof value === 'string' && said.includes(value))
}

function textPart(text: string): Call['content'][number] {
  return { type: 'content', content: { type: 'text', text } }
}
