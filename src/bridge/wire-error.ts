// Failures at the wire: the one switch from our errors to JSON-RPC codes.
import { thrownMessage } from '#json/thrown.ts'
import { RequestError } from '@agentclientprotocol/sdk'
import { AgentError, type AgentErrorCode } from '#agent/error.ts'
import { assertNever } from '#registry/view.ts'

/** Any failure as the error that the client is sent: one line that a person can act on, details in `data`. */
export function wireError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const message = singleLine(thrownMessage(error))
  if (error instanceof AgentError) {
    return new RequestError(codeOf(error.code), message, error.details && { details: error.details })
  }
  return new RequestError(-32603, message, { details: { reason: 'internal' } })
}

/** Bad parameters, with the reason. */
export function invalidParams(reason: string): RequestError {
  return new RequestError(-32602, singleLine(reason))
}

function codeOf(code: AgentErrorCode): number {
  switch (code) {
    case 'auth':
      return -32000
    case 'not_found':
      return -32002
    case 'invalid':
      return -32602
    case 'busy':
      return -32600
    case 'model':
    case 'internal':
      return -32603
    default:
      return assertNever(code)
  }
}

function singleLine(text: string): string {
  return text.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, ' ').trim() || 'internal error'
}
