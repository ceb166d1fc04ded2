// Drives a model of the real provider code against a local endpoint.
import { readSettings } from '#config/settings.ts'
import { ModelError } from '#model/error.ts'
import type { AssistantPart, ModelMessage } from '#model/message.ts'
import type { Model, ModelEvent, ModelRequest } from '#model/port.ts'
import { createModelSource } from '#model/source.ts'

export const KEY = 'sk-test-key-0123456789'

export function loadModel(name: string, baseURL: string, idleTimeoutMs = 10_000): Promise<Model> {
  const env = { DECKHAND_MODEL: name, DECKHAND_BASE_URL: baseURL, DECKHAND_API_KEY: KEY }
  return createModelSource(readSettings(env), { idleTimeoutMs }).load(name)
}

export function prompt(text: string): ModelMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

export function request(
  messages: readonly ModelMessage[] = [prompt('Hello')],
  more: Partial<ModelRequest> = {},
): ModelRequest {
  return { system: 'Be brief.', messages, tools: [READ], signal: new AbortController().signal, ...more }
}

export const READ = {
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

export interface Played {
  events: ModelEvent[]
  error: ModelError | undefined
}

/** All events up to the end or the error. Anything thrown that is no `ModelError` fails the test. */
export async function play(model: Model, wanted: ModelRequest = request()): Promise<Played> {
  const events: ModelEvent[] = []
  try {
    for await (const event of model.stream(wanted)) events.push(event)
    return { events, error: undefined }
  } catch (error) {
    if (error instanceof ModelError) return { events, error }
    throw error
  }
}

export function textIn(events: readonly ModelEvent[], type: 'text' | 'thought' = 'text'): string {
  return events.flatMap((event) => (event.type === type && 'text' in event ? [event.text] : [])).join('')
}

export function callsIn(events: readonly ModelEvent[]) {
  return events.filter((event) => event.type === 'call')
}

/** What a loop makes of the events. */
export function partsOf(events: readonly ModelEvent[]): AssistantPart[] {
  const parts: AssistantPart[] = []
  let text = ''
  for (const event of events) {
    if (event.type === 'text' || event.type === 'thought') text += event.text
    if (event.type === 'part_end') {
      const provider = event.provider !== undefined && { provider: event.provider }
      parts.push({ type: event.part, text, ...provider })
      text = ''
    }
    if (event.type === 'call') parts.push({ ...event, type: 'tool_call' })
  }
  return parts
}
