// exit_plan: shows the plan and asks for leave to carry it out; present in plan mode.
import type { InferValue } from '#json/spec.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolArgsError, ToolError } from '#registry/errors.ts'

export type PlanAnswer =
  /** The session is in that mode now. */
  { kind: 'approved'; mode: string } | { kind: 'rejected'; reason?: string } | { kind: 'cancelled' }

export interface PlanRequest {
  callId: string
  plan: string
  signal: AbortSignal
}

/** Shows the plan, asks which mode to go on in, and switches to it. Aborting the signal retracts the question. */
export type AskPlan = (request: PlanRequest) => Promise<PlanAnswer>

const PLAN_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    approved: { type: 'boolean', required: true },
    mode: { type: 'string' },
    reason: { type: 'string' },
  },
} as const
type Decision = InferValue<typeof PLAN_SCHEMA>

export function exitPlanTool(ask: AskPlan): ToolDefinition {
  return defineTool({
    name: 'exit_plan',
    description:
      'Shows your plan to the user and asks for leave to carry it out. Call it when the plan is complete; ' +
      'nothing may be changed before the user has agreed.',
    parameters: { plan: { type: 'string', required: true, description: 'The plan, in Markdown.' } },
    output: { schema: PLAN_SCHEMA, render: (_args, value) => [{ type: 'text', text: decisionText(value) }] },
    execute: ({ plan }, { callId, signal }) => decide(ask, { callId, plan, signal }),
    presentCall: ({ plan }) => ({
      card: 'generic',
      title: 'Plan to carry out',
      kind: 'switch_mode',
      rawInput: { plan },
      content: [{ type: 'text', text: plan }],
    }),
    // The plan stays on the card.
    presentResult: ({ plan }, { isError, content }) =>
      isError ? undefined : { card: 'generic', content: [{ type: 'text', text: plan }, ...content] },
  })
}

async function decide(ask: AskPlan, request: PlanRequest): Promise<Decision> {
  if (request.plan.trim() === '') throw new ToolArgsError(['plan must not be empty'])
  const answer = await ask(request)
  switch (answer.kind) {
    case 'approved':
      return { approved: true, mode: answer.mode }
    case 'rejected':
      return { approved: false, ...(answer.reason !== undefined && { reason: answer.reason }) }
    case 'cancelled':
      throw new ToolError('ABORTED', 'the question was taken back before it was answered; plan mode stays')
  }
}

function decisionText({ approved, mode, reason }: Decision): string {
  if (approved) return `The user approved the plan; the mode is ${mode} now. Carry it out.`
  const why = reason === undefined ? '' : ` and says: ${reason}`
  return `The user did not approve the plan${why}. Plan mode stays; improve the plan or ask.`
}
