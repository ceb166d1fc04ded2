// A better title: written by the small model from the first exchange, when the second turn begins.
import type { ModelSource } from '#model/port.ts'
import type { ModelMessage } from '#model/message.ts'
import { untilAborted } from '#model/until-aborted.ts'
import { conversationOf } from '#session/conversation.ts'
import type { LoggedEvent } from '#session/event.ts'
import { titleOf } from './title.ts'

const SYSTEM =
  'You write titles of conversations. Answer with the title only: at most eight words, no quotes, no full stop.'
/** Messages that the small model is shown. */
const MESSAGES = 6

/**
 * Empty where no small model is configured, in other turns than the second, when it fails (a title is never worth an
 * error), and when the signal aborts first: it ends with the turn.
 */
export async function betterTitle(
  models: ModelSource,
  events: readonly LoggedEvent[],
  signal: AbortSignal,
): Promise<string> {
  const turns = events.filter((event) => event.type === 'turn_start').length
  if (models.small === undefined || turns !== 2) return ''
  try {
    const model = await models.load(models.small)
    const talk = conversationOf(events)
      .filter((message) => message.role !== 'tool')
      .slice(0, MESSAGES)
    const shown = JSON.stringify(talk).slice(0, 8000)
    const messages: ModelMessage[] = [
      {
        role: 'user',
        content: [{ type: 'text', text: `The conversation so far, as JSON:\n${shown}\n\nIts title?` }],
      },
    ]
    let text = ''
    for await (const event of untilAborted(
      model.stream({ system: SYSTEM, messages, tools: [], signal }),
      signal,
    )) {
      if (event.type === 'text') text += event.text
    }
    return signal.aborted ? '' : titleOf([{ type: 'text', text: text.replaceAll(/^["'\s]+|["'.\s]+$/g, '') }])
  } catch {
    return ''
  }
}
