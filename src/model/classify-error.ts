// Whatever a provider, the SDK or the network threw → ModelError.
import { APICallError } from '@ai-sdk/provider'
import { detailOf, presentable } from './error-detail.ts'
import { networkFault } from './network-fault.ts'
import { sentenceFor, type ErrorContext } from './error-sentence.ts'
import { ModelError, type ModelErrorCode } from './error.ts'
import { retryAfterMs, retryDelayMs } from './retry-after.ts'

/** How providers say that a request does not fit into the context window. */
const TOO_LONG =
  /(prompt|input|request|context)[^.]{0,60}(too (long|large)|exceed)|exceed[^.]{0,60}(context|token)|maximum context length|context_length_exceeded/i

interface Facts {
  status: number | undefined
  /** The provider's own words for the kind of error. */
  kind: string
  message: string
}

/** Never throws. The result's message is presentable; its cause is kept only for network errors. */
export function classifyError(thrown: unknown, context: ErrorContext): ModelError {
  const error = unwrapped(thrown)
  if (error instanceof ModelError) return error
  const network = networkCode(error)
  if (network !== undefined) return ofNetwork(network, error, context)
  if (APICallError.isInstance(error)) return ofResponse(error, context)
  if (error instanceof Error && !('statusCode' in error)) return ofSdk(error, context)
  return ofStreamError(error, context)
}

/** A retrying layer of the SDK wraps the last error. */
function unwrapped(error: unknown): unknown {
  return error instanceof Error && 'lastError' in error ? error.lastError : error
}

function ofResponse(error: APICallError, context: ErrorContext): ModelError {
  const status = error.statusCode
  if (status === undefined || status < 400) {
    const code = status === undefined ? 'transport' : 'protocol'
    return new ModelError(code, sentenceFor(code, { status, detail: error.message }, context), {
      lasting: /\bbad port\b/.test(error.message),
      ...(status !== undefined && { status }),
    })
  }
  const said = detailOf(error.responseBody)
  const detail = said.message ?? (error.responseBody?.trimStart().startsWith('<') ? '' : error.message)
  const retry = retryAfterMs(error.responseHeaders, Date.now()) ?? retryDelayMs(said.error)
  const words = `${JSON.stringify(said.error ?? {})} ${detail}`
  return build(codeOfResponse(status, words), { status, detail }, context, retry)
}

/** The SDK's own errors: by name, because several copies of its classes may be loaded. */
function ofSdk(error: Error, context: ErrorContext): ModelError {
  switch (error.name) {
    case 'AI_NoOutputGeneratedError':
      return build('transport', { status: undefined, detail: 'the stream ended before its end' }, context)
    case 'AI_InvalidResponseDataError': {
      const cut = /without a finish reason/.test(error.message)
      return build(cut ? 'transport' : 'protocol', { status: undefined, detail: error.message }, context)
    }
    case 'AI_InvalidPromptError':
    case 'AI_InvalidArgumentError':
    case 'AI_UnsupportedFunctionalityError':
    case 'AI_MissingToolResultsError':
    case 'AI_InvalidMessageRoleError':
      return build('bad_request', { status: undefined, detail: error.message }, context)
    case 'AI_JSONParseError':
    case 'AI_TypeValidationError':
      return build(
        'protocol',
        { status: undefined, detail: 'a part of the stream is no valid JSON of this API' },
        context,
      )
    default:
      return build('protocol', { status: undefined, detail: error.message }, context)
  }
}

/** An error that came in the middle of a stream, as an object of the provider or as text. */
function ofStreamError(error: unknown, context: ErrorContext): ModelError {
  const { status, kind, message } = factsOf(error)
  const code = (status === undefined ? undefined : codeOfStatus(status)) ?? codeOfKind(`${kind} ${message}`)
  return build(code, { status, detail: message }, context)
}

function factsOf(error: unknown): Facts {
  if (typeof error === 'string') return { status: undefined, kind: '', message: error }
  if (typeof error !== 'object' || error === null) return { status: undefined, kind: '', message: '' }
  const fields = error as Record<string, unknown>
  const status = [fields['statusCode'], fields['status'], fields['code']].map(Number).find(isErrorStatus)
  const kind = [fields['type'], fields['code'], fields['status']]
    .filter((item) => typeof item === 'string')
    .join(' ')
  return { status, kind, message: typeof fields['message'] === 'string' ? fields['message'] : '' }
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599
}

/** A status means something else where the provider's words say so. */
function codeOfResponse(status: number, words: string): ModelErrorCode {
  if (status === 400 && /API_KEY_INVALID|API key not valid/.test(words)) return 'auth'
  // Waiting does not fill an account.
  if (status === 429 && /insufficient_quota/.test(words)) return 'bad_request'
  return codeOfStatus(status)
}

function codeOfStatus(status: number): ModelErrorCode {
  if (status === 401 || status === 403) return 'auth'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limit'
  if (status === 503 || status === 529) return 'overloaded'
  return status >= 500 ? 'server' : 'bad_request'
}

/** What nobody can place counts as the provider's fault. */
function codeOfKind(words: string): ModelErrorCode {
  if (/overloaded|unavailable/i.test(words)) return 'overloaded'
  if (/rate.?limit|too many requests|quota/i.test(words)) return 'rate_limit'
  if (/authentication|permission|api.?key|unauthori[sz]ed/i.test(words)) return 'auth'
  if (/invalid.?request|context.?length/i.test(words)) return 'bad_request'
  return 'server'
}

function networkCode(error: unknown): string | undefined {
  let current = error
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    const code = 'code' in current ? current.code : undefined
    if (
      typeof code === 'string' &&
      /^(E[A-Z]+$|UND_ERR|ERR_(TLS|SSL)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)
    )
      return code
    if (
      current instanceof TypeError &&
      /^(terminated|fetch failed)$/i.test(current.message) &&
      !current.cause
    )
      return ''
    current = current.cause
  }
  return undefined
}

function ofNetwork(networkError: string, cause: unknown, context: ErrorContext): ModelError {
  const silent = /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(networkError)
  const code = silent ? 'idle' : 'transport'
  const { detail, lasting } = networkFault(networkError, cause)
  const sentence = sentenceFor(code, { status: undefined, detail }, context)
  return new ModelError(code, sentence, {
    lasting,
    cause: new Error(presentable(String(cause), context.secrets)),
  })
}

function build(
  code: ModelErrorCode,
  facts: { status: number | undefined; detail: string },
  context: ErrorContext,
  retryAfter?: number,
): ModelError {
  return new ModelError(code, sentenceFor(code, facts, context), {
    ...(facts.status !== undefined && { status: facts.status }),
    ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
    ...(code === 'bad_request' && TOO_LONG.test(facts.detail) && { overflow: true }),
  })
}
