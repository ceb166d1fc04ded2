// What a client answers to a form. Loaded with the first answer, for its schema.
import { z } from 'zod'
import type { FormAnswer } from '#registry/form.ts'

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
const Answer = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), content: z.record(z.string(), Value).nullish() }),
  z.object({ action: z.literal('decline') }),
  z.object({ action: z.literal('cancel') }),
])

/** Anything that is no answer declines. */
export function formAnswer(reply: unknown): FormAnswer {
  const { data: answer } = Answer.safeParse(reply)
  if (answer === undefined) return { action: 'decline' }
  return answer.action === 'accept' ? { action: 'accept', content: answer.content ?? {} } : answer
}
