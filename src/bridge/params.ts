// Lenient parsing of requests in which one bad entry must not cost the whole.
import { z } from 'zod'
import type { TraceCarrier } from '#telemetry/span.ts'
import { invalidParams } from './wire-error.ts'

const NewSession = z.object({
  cwd: z.string(),
  additionalDirectories: z.array(z.unknown()).nullish(),
  mcpServers: z.unknown(),
})
const LoadSession = NewSession.extend({ sessionId: z.string() })
const Prompt = z.object({ sessionId: z.string(), prompt: z.array(z.unknown()) })
const lenient = z.string().optional().catch(undefined)
const TracedPrompt = Prompt.extend({
  _meta: z.object({ traceparent: lenient, tracestate: lenient }).nullish().catch(undefined),
})
const Steering = Prompt.extend({
  _meta: z.object({ steering: z.object({ idleBehavior: z.string().nullish() }).nullish() }).nullish(),
})

export interface NewSessionParams {
  cwd: string
  additionalDirectories: string[]
  /** Not looked at: one bad entry must not cost the session. */
  mcpServers: readonly unknown[]
}
export type LoadSessionParams = NewSessionParams & { sessionId: string }
export interface PromptParams {
  sessionId: string
  /** Blocks, not looked at yet. */
  prompt: unknown[]
  /** The client's span, as W3C writes it. */
  trace?: TraceCarrier
}

export function parseNewSession(params: unknown): NewSessionParams {
  return places(parsed(NewSession, params))
}

export function parseLoadSession(params: unknown): LoadSessionParams {
  const value = parsed(LoadSession, params)
  return { ...places(value), sessionId: value.sessionId }
}

export function parsePrompt(params: unknown): PromptParams {
  const { sessionId, prompt, _meta: meta } = parsed(TracedPrompt, params)
  const { traceparent, tracestate = '' } = meta ?? {}
  return { sessionId, prompt, ...(traceparent !== undefined && { trace: { traceparent, tracestate } }) }
}

export interface SteeringParams extends PromptParams {
  /** What the client wants to hear when no turn runs: that it should prompt, instead of an error. */
  promptRequired: boolean
}

export function parseSteering(params: unknown): SteeringParams {
  const { sessionId, prompt, _meta: meta } = parsed(Steering, params)
  return { sessionId, prompt, promptRequired: meta?.steering?.idleBehavior === 'promptRequired' }
}

function parsed<T>(schema: z.ZodType<T>, params: unknown): T {
  const result = schema.safeParse(params)
  if (result.success) return result.data
  throw invalidParams(
    result.error.issues.map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`).join('; '),
  )
}

function places(value: z.infer<typeof NewSession>): NewSessionParams {
  return {
    cwd: value.cwd,
    additionalDirectories: (value.additionalDirectories ?? []).filter((entry) => typeof entry === 'string'),
    mcpServers: Array.isArray(value.mcpServers) ? value.mcpServers : [],
  }
}
