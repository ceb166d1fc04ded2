// A server asks the person: its form goes to whoever can show one.
import { isJsonObject } from '#json/value.ts'
import { cutDescription } from './clean-schema.ts'
import type { AskForm, FormAnswer } from '#registry/form.ts'

/** Questions that only a browser can answer are declined. Never rejects. */
export async function answerForm(
  form: AskForm,
  server: string,
  params: unknown,
  signal: AbortSignal,
): Promise<FormAnswer> {
  if (!isJsonObject(params) || (params['mode'] ?? 'form') !== 'form') return { action: 'decline' }
  const { message, requestedSchema: schema } = params
  if (typeof message !== 'string' || !isJsonObject(schema)) return { action: 'decline' }
  try {
    return await form({ server, message: cutDescription(message), schema }, signal)
  } catch {
    return { action: signal.aborted ? 'cancel' : 'decline' }
  }
}
