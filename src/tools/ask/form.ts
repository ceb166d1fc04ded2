// A question as a form, for whoever shows forms to the person.
import type { JsonObject } from '#json/value.ts'
import type { AskForm } from '#registry/form.ts'
import type { AskUser, UserAnswer, UserQuestion } from './ask-user.ts'

/** One field, to choose from or to write in. A form that was closed or left empty is declined. */
export function askByForm(show: AskForm): AskUser {
  return async (question, signal) => {
    try {
      const shown = await show({ message: question.question, schema: schemaOf(question) }, signal)
      if (signal.aborted) return { kind: 'cancelled' }
      return shown.action === 'accept' ? answerOf(shown.content['answer'], question) : { kind: 'declined' }
    } catch {
      return { kind: signal.aborted ? 'cancelled' : 'declined' }
    }
  }
}

function schemaOf({ options }: UserQuestion): JsonObject {
  const answer: JsonObject = { type: 'string', title: 'Answer', ...(options && { enum: [...options] }) }
  return { type: 'object', properties: { answer }, required: ['answer'] }
}

/** What was not offered is no answer. */
function answerOf(given: unknown, { options }: UserQuestion): UserAnswer {
  const answer = typeof given === 'string' ? given.trim().toWellFormed() : ''
  const usable = answer !== '' && (options === undefined || options.includes(answer))
  return usable ? { kind: 'answered', answer } : { kind: 'declined' }
}
