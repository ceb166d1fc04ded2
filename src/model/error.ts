// The closed set of ways in which a model request fails.

export const MODEL_ERROR_CODES = [
  'auth', // 401, 403: key missing, wrong or without rights
  'not_found', // 404: no such model or endpoint
  'bad_request', // other 4xx
  'rate_limit', // 429
  'overloaded', // 503, 529
  'server', // other 5xx
  'transport', // no connection, connection lost, stream cut
  'idle', // nothing received for too long
  'protocol', // the answer is not what the API promises, or empty
  'aborted', // the caller's signal
  'config', // unknown provider or model name, missing endpoint
] as const
export type ModelErrorCode = (typeof MODEL_ERROR_CODES)[number]

export interface ModelErrorInit {
  status?: number
  /** Milliseconds that the provider asked us to wait. */
  retryAfterMs?: number
  /** The request was larger than the model's context window. */
  overflow?: boolean
  /** The same request would fail the same way, whatever the code says. */
  lasting?: boolean
  cause?: unknown
}

const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set([
  'rate_limit',
  'overloaded',
  'server',
  'transport',
  'idle',
])

/** A failed model request. `message` is one sentence for a person; it never holds a key. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly code: ModelErrorCode
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  /** A shorter history may pass. */
  readonly overflow: boolean
  readonly #lasting: boolean

  constructor(code: ModelErrorCode, message: string, init: ModelErrorInit = {}) {
    super(message, { cause: init.cause })
    this.code = code
    this.status = init.status
    this.retryAfterMs = init.retryAfterMs
    this.overflow = init.overflow ?? false
    this.#lasting = init.lasting ?? false
  }

  /** Whether trying the same request again can help. */
  get retryable(): boolean {
    return !this.#lasting && (RETRYABLE.has(this.code) || this.status === 408)
  }
}
