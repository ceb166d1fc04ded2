// ask_user: a question to the person; present where the client can show forms.
import type { InferValue } from '#json/spec.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolArgsError, ToolError } from '#registry/errors.ts'

export interface UserQuestion {
  question: string
  /** Answers to choose from; without them the person writes. */
  options?: readonly string[]
}

export type UserAnswer = { kind: 'answered'; answer: string } | { kind: 'declined' } | { kind: 'cancelled' }

/** Puts the question to the person and waits. Aborting the signal retracts the question. */
export type AskUser = (question: UserQuestion, signal: AbortSignal) => Promise<UserAnswer>

const ANSWER_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: { declined: { type: 'boolean', required: true }, answer: { type: 'string' } },
} as const
type Answer = InferValue<typeof ANSWER_SCHEMA>

export function askUserTool(ask: AskUser): ToolDefinition {
  return defineTool({
    name: 'ask_user',
    description:
      'Asks the user a question and waits for the answer. Use it when you can not go on without a decision that only ' +
      'the user can make; give options where there are few.',
    parameters: {
      question: { type: 'string', required: true },
      options: { type: 'array', items: { type: 'string' }, description: 'Answers to choose from.' },
    },
    output: { schema: ANSWER_SCHEMA, render: (_args, value) => [{ type: 'text', text: answerText(value) }] },
    execute: ({ question, options }, exec) =>
      askChecked(ask, { question, ...(options && { options }) }, exec.signal),
    presentCall: ({ question, options }) => ({
      card: 'generic',
      title: 'Ask you a question',
      kind: 'other',
      rawInput: { question, ...(options && { options }) },
      content: [{ type: 'text', text: question }],
    }),
  })
}

async function askChecked(
  ask: AskUser,
  { question, options }: UserQuestion,
  signal: AbortSignal,
): Promise<Answer> {
  const choices = [...new Set(options?.map((option) => option.trim()).filter((option) => option !== ''))]
  const violations = [
    ...(question.trim() === '' ? ['question must not be empty'] : []),
    ...(choices.length === 1 ? ['one option is no choice; give at least two, or none'] : []),
  ]
  if (violations.length > 0) throw new ToolArgsError(violations)
  const answer = await ask({ question, ...(choices.length > 0 && { options: choices }) }, signal)
  if (answer.kind === 'cancelled')
    throw new ToolError('ABORTED', 'the question was taken back before it was answered')
  return answer.kind === 'answered' ? { declined: false, answer: answer.answer } : { declined: true }
}

function answerText({ declined, answer }: Answer): string {
  return declined
    ? 'The user declined to answer; go on with your own judgement, or say what you need.'
    : `The user answers: ${answer}`
}
