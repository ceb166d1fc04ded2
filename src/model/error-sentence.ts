// The sentence that a person reads about a failed request: who, what status, what to do.
import { presentable } from './error-detail.ts'
import type { ModelErrorCode } from './error.ts'

export interface ErrorContext {
  /** As people call the provider. */
  title: string
  modelId: string
  /** The variable that holds the vendor's key. */
  keyVariable: string | undefined
  /** What else may be wrong when the address has no such model. */
  notFoundHint?: string
  /** What must not appear in the sentence. */
  secrets: readonly string[]
}

export interface ErrorFacts {
  status: number | undefined
  /** The provider's words; made presentable here. */
  detail: string
}

/** One sentence without a key. The provider's words about a key are left out altogether. */
export function sentenceFor(code: ModelErrorCode, facts: ErrorFacts, context: ErrorContext): string {
  const status = facts.status === undefined ? '' : ` (${facts.status})`
  const detail = facts.status === 401 ? '' : presentable(facts.detail, context.secrets).replace(/[.\s]+$/, '')
  const said = detail === '' ? '' : `: ${detail}`
  return `${happened(code, context)}${status}${said}; ${advice(code, context)}.`
}

function happened(code: ModelErrorCode, { title, modelId }: ErrorContext): string {
  switch (code) {
    case 'auth':
      return `${title} refused the key`
    case 'not_found':
      return `${title} has no model "${modelId}" at this address`
    case 'bad_request':
      return `${title} refused the request`
    case 'rate_limit':
      return `${title} limits the rate of requests`
    case 'overloaded':
      return `${title} is overloaded`
    case 'server':
      return `${title} failed`
    case 'transport':
      return `The connection to ${insideSentence(title)} failed`
    case 'idle':
      return `${title} sent nothing for too long`
    case 'protocol':
      return `${title} gave an answer that can't be read`
    case 'aborted':
      return `The request to ${insideSentence(title)} was cancelled`
    case 'config':
      return `${title} is not set up`
  }
}

/** Inside a sentence. */
export function insideSentence(title: string): string {
  return title.replace(/^The /, 'the ')
}

function advice(code: ModelErrorCode, { keyVariable, notFoundHint }: ErrorContext): string {
  switch (code) {
    case 'auth':
      return `check DECKHAND_API_KEY${keyVariable === undefined ? '' : ` or ${keyVariable}`}`
    case 'not_found':
      return `check DECKHAND_MODEL and DECKHAND_BASE_URL${notFoundHint === undefined ? '' : `, or ${notFoundHint}`}`
    case 'bad_request':
      return 'change the prompt, the model or its settings'
    case 'rate_limit':
    case 'overloaded':
    case 'server':
      return 'try again later or choose another model'
    case 'transport':
    case 'idle':
      return 'check the network and DECKHAND_BASE_URL, then try again'
    case 'protocol':
      return 'try again, or check that DECKHAND_BASE_URL speaks the API of this provider'
    case 'aborted':
      return 'send it again if it is still wanted'
    case 'config':
      return 'check DECKHAND_MODEL and DECKHAND_BASE_URL'
  }
}
