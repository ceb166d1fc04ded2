// A server asks the model: text in, text out, and only where the configuration lets it.
import { ProtocolError } from '@modelcontextprotocol/client'
import { thrownMessage } from '#json/thrown.ts'
import { isJsonObject } from '#json/value.ts'
import type { TextBlock } from '#model/content.ts'
import type { ModelMessage } from '#model/message.ts'
import type { Sample, SampleRequest } from './host.ts'

/** What the protocol shows for a person who refused. */
const REFUSED = -1
const INVALID_PARAMS = -32_602
const INTERNAL_ERROR = -32_603

export interface SamplingAnswer {
  [key: string]: unknown
  role: 'assistant'
  content: TextBlock
  model: string
  stopReason: 'endTurn' | 'maxTokens'
}

/** Rejects with `ProtocolError` only. Why the model failed is for `log`: the server is not told. */
export async function answerSampling(
  sample: Sample,
  params: unknown,
  signal: AbortSignal,
  log: (text: string) => void,
): Promise<SamplingAnswer> {
  const request = requestOf(params)
  try {
    const { text, model, cut } = await sample(request, signal)
    const stopReason = cut ? 'maxTokens' : 'endTurn'
    return { role: 'assistant', content: { type: 'text', text }, model, stopReason }
  } catch (error) {
    log(`it asked the model, which failed: ${thrownMessage(error)}`)
    throw new ProtocolError(INTERNAL_ERROR, 'the model could not answer')
  }
}

export function declineSampling(): ProtocolError {
  return new ProtocolError(REFUSED, 'sampling is declined: this client does not lend its model')
}

function requestOf(params: unknown): SampleRequest {
  if (!isJsonObject(params)) throw invalid('params must be an object')
  const { messages, systemPrompt: system, maxTokens, tools, toolChoice } = params
  if ((tools ?? toolChoice) !== undefined) throw invalid('tools are not supported')
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('messages are missing')
  return {
    messages: messages.map((message) => messageOf(message)),
    ...(typeof system === 'string' && { system }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
  }
}

function messageOf(message: unknown): ModelMessage {
  if (!isJsonObject(message)) throw invalid('a message must be an object')
  const { role, content } = message
  const texts = (Array.isArray(content) ? content : [content]).map((block) => textBlock(block))
  return role === 'assistant' ? { role, parts: texts } : { role: 'user', content: texts }
}

function textBlock(block: unknown): TextBlock {
  if (!isJsonObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string')
    throw invalid('only text is supported')
  return { type: 'text', text: block['text'] }
}

function invalid(why: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `this request can't be sampled: ${why}`)
}
