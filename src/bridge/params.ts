// Lenient parsing of requests in which one bad entry must not cost the whole. By hand: no schema library before a turn.
import type { CancelNotification, InitializeRequest } from '@agentclientprotocol/sdk'
import { isJsonObject, type JsonObject } from '#json/value.ts'
import type { TraceCarrier } from '#telemetry/span.ts'
import { invalidParams } from './wire-error.ts'

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

const LATEST_VERSION = 65_535

/** Capabilities are not looked at: whoever asks for one takes only the exact value that the protocol names. */
export function parseInitialize(params: unknown): InitializeRequest {
  const { protocolVersion: version, clientCapabilities } = fieldsOf(params)
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0 || version > LATEST_VERSION) {
    throw invalidParams(`protocolVersion: expected a whole number up to ${LATEST_VERSION}`)
  }
  return { protocolVersion: version, ...(isJsonObject(clientCapabilities) && { clientCapabilities }) }
}

export function parseNewSession(params: unknown): NewSessionParams {
  const { cwd, additionalDirectories, mcpServers } = fieldsOf(params)
  return {
    cwd: text('cwd', cwd),
    additionalDirectories: list('additionalDirectories', additionalDirectories ?? []).filter(
      (entry) => typeof entry === 'string',
    ),
    mcpServers: Array.isArray(mcpServers) ? mcpServers : [],
  }
}

export function parseLoadSession(params: unknown): LoadSessionParams {
  return { ...parseNewSession(params), sessionId: text('sessionId', fieldsOf(params)['sessionId']) }
}

export function parsePrompt(params: unknown): PromptParams {
  const { sessionId, prompt, _meta: meta } = fieldsOf(params)
  const { traceparent, tracestate } = isJsonObject(meta) ? meta : {}
  const state = typeof tracestate === 'string' ? tracestate : ''
  return {
    sessionId: text('sessionId', sessionId),
    prompt: list('prompt', prompt),
    ...(typeof traceparent === 'string' && { trace: { traceparent, tracestate: state } }),
  }
}

export function parseCancel(params: unknown): CancelNotification {
  return { sessionId: text('sessionId', fieldsOf(params)['sessionId']) }
}

export interface SteeringParams extends PromptParams {
  /** What the client wants to hear when no turn runs: that it should prompt, instead of an error. */
  promptRequired: boolean
}

export function parseSteering(params: unknown): SteeringParams {
  const { _meta: meta } = fieldsOf(params)
  const steering = isJsonObject(meta) ? meta['steering'] : undefined
  const idleBehavior = isJsonObject(steering) ? steering['idleBehavior'] : undefined
  return { ...parsePrompt(params), promptRequired: idleBehavior === 'promptRequired' }
}

function fieldsOf(params: unknown): JsonObject {
  if (isJsonObject(params)) return params
  throw invalidParams('params: expected an object')
}

function text(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw invalidParams(`${name}: expected a text`)
}

function list(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw invalidParams(`${name}: expected a list`)
}
