// The closed set of failures that a bridge has to tell its client.

export type AgentErrorCode = 'auth' | 'busy' | 'not_found' | 'invalid' | 'model' | 'internal'

/** `message` is one sentence that a person can act on. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: AgentErrorCode
  /** Structured facts for the client, such as `{ provider, status }`. */
  readonly details: Record<string, unknown> | undefined

  constructor(
    code: AgentErrorCode,
    message: string,
    init: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: init.cause })
    this.code = code
    this.details = init.details
  }
}
