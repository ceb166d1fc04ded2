// The streams of every API that the adapter speaks, built from the same description of an answer.
import {
  ANTHROPIC_START,
  anthropicEnd,
  anthropicEvents,
  OPENAI_DONE,
  openaiChunks,
} from '../support/sse-server.ts'

export type Piece =
  | { text: string[] }
  | { thought: string[]; signature?: string }
  | { call: { id: string; name: string; json: string[] } }

/** How an answer ends; without it the stream has no end. */
export type End = 'stop' | 'calls' | 'length' | 'refusal'

export interface WireApi {
  /** `provider/model`. */
  name: string
  /** The path of a request below the base URL. */
  path: string
  /** Usage at the end: 20 tokens in, 5 of them cached, 7 out. */
  chunks(pieces: readonly Piece[], end?: End): string[]
  /** An error in the middle of a stream: the provider is overloaded. */
  overloaded: string
  /** Whether thoughts come back in the stream. */
  thinks: boolean
  /** Whether argument text comes in deltas. */
  streamsArguments: boolean
}

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

const CHAT_FINISH = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  refusal: 'content_filter',
} as const
const CHAT_ERROR = data({
  error: { message: 'The server is overloaded', type: 'overloaded_error', code: 503 },
})

function chat(usage: object) {
  return (pieces: readonly Piece[], end?: End): string[] => {
    let calls = 0
    const deltas = pieces.flatMap((piece): object[] => {
      if ('text' in piece) return piece.text.map((content) => ({ content }))
      if ('thought' in piece) return piece.thought.map((reasoning_content) => ({ reasoning_content }))
      const index = calls++
      const { id, name, json } = piece.call
      const first = { index, id, type: 'function', function: { name, arguments: '' } }
      const rest = json.map((text) => ({ index, function: { arguments: text } }))
      return [first, ...rest].map((delta) => ({ tool_calls: [delta] }))
    })
    const last = end === undefined ? [] : [{ finish: CHAT_FINISH[end] }, { usage }, OPENAI_DONE]
    return openaiChunks(...deltas, ...last)
  }
}

const CHAT_USAGE = {
  prompt_tokens: 20,
  completion_tokens: 7,
  total_tokens: 27,
  prompt_tokens_details: { cached_tokens: 5 },
}

const ANTHROPIC_END = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
} as const

function anthropic(pieces: readonly Piece[], end?: End): string[] {
  const usage = { ...ANTHROPIC_START.message.usage, input_tokens: 15 }
  const start = { ...ANTHROPIC_START, message: { ...ANTHROPIC_START.message, usage } }
  const blocks = pieces.flatMap((piece, index) => {
    const [content, deltas] = anthropicBlock(piece)
    return [
      { type: 'content_block_start', index, content_block: content },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]
  })
  return anthropicEvents(start, ...blocks, ...(end === undefined ? [] : anthropicEnd(ANTHROPIC_END[end])))
}

function anthropicBlock(piece: Piece): [object, object[]] {
  if ('text' in piece) {
    return [{ type: 'text', text: '' }, piece.text.map((text) => ({ type: 'text_delta', text }))]
  }
  if ('thought' in piece) {
    const thoughts = piece.thought.map((thinking) => ({ type: 'thinking_delta', thinking }))
    const signature = { type: 'signature_delta', signature: piece.signature ?? 'SIG' }
    return [{ type: 'thinking', thinking: '' }, [...thoughts, signature]]
  }
  const { id, name, json } = piece.call
  const deltas = json.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  return [{ type: 'tool_use', id, name, input: {} }, deltas]
}

function responses(pieces: readonly Piece[], end?: End): string[] {
  const response = { id: 'resp_1', created_at: 1, model: 'm' }
  const usage = {
    input_tokens: 20,
    input_tokens_details: { cached_tokens: 5 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
  }
  const items = pieces.flatMap(responseItem)
  const reason = { length: 'max_output_tokens', refusal: 'content_filter', stop: null, calls: null }
  const cut = end === undefined ? null : reason[end]
  const last = {
    type: cut === null ? 'response.completed' : 'response.incomplete',
    response: { ...response, usage, ...(cut !== null && { incomplete_details: { reason: cut } }) },
  }
  const events = [{ type: 'response.created', response }, ...items, ...(end === undefined ? [] : [last])]
  return events.map((event, sequence_number) => data({ ...event, sequence_number }))
}

function responseItem(piece: Piece, output_index: number): object[] {
  const added = (item: object) => ({ type: 'response.output_item.added', output_index, item })
  const done = (item: object) => ({ type: 'response.output_item.done', output_index, item })
  if ('text' in piece) {
    const item = { type: 'message', id: `msg_${output_index}`, role: 'assistant' }
    const deltas = piece.text.map((delta) => ({
      type: 'response.output_text.delta',
      item_id: item.id,
      output_index,
      content_index: 0,
      delta,
    }))
    return [added({ ...item, content: [] }), ...deltas, done({ ...item, content: [] })]
  }
  if ('thought' in piece) return responseThought(piece.thought, piece.signature ?? 'ENC', output_index)
  const { id, name, json } = piece.call
  const item = { type: 'function_call', id: `fc_${output_index}`, call_id: id, name }
  const deltas = json.map((delta) => ({
    type: 'response.function_call_arguments.delta',
    item_id: item.id,
    output_index,
    delta,
  }))
  const text = json.join('')
  return [
    added({ ...item, arguments: '' }),
    ...deltas,
    done({ ...item, arguments: text, status: 'completed' }),
  ]
}

function responseThought(thought: readonly string[], encrypted: string, output_index: number): object[] {
  const item_id = `rs_${output_index}`
  const place = { item_id, output_index, summary_index: 0 }
  const summary = [{ type: 'summary_text', text: thought.join('') }]
  const item = { type: 'reasoning', id: item_id }
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, summary: [], encrypted_content: '' },
    },
    { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
    ...thought.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    { type: 'response.reasoning_summary_part.done', ...place, part: summary[0] },
    {
      type: 'response.output_item.done',
      output_index,
      item: { ...item, summary, encrypted_content: encrypted },
    },
  ]
}

function gemini(pieces: readonly Piece[], end?: End): string[] {
  const parts = pieces.flatMap((piece): object[] => {
    if ('text' in piece) return piece.text.map((text) => ({ text }))
    if ('thought' in piece) {
      const signature = piece.signature ?? 'SIG'
      return piece.thought.map((text, index) => ({
        text,
        thought: true,
        ...(index === piece.thought.length - 1 && { thoughtSignature: signature }),
      }))
    }
    const { id, name, json } = piece.call
    return [{ functionCall: { id, name, args: JSON.parse(json.join('') || '{}') } }]
  })
  const finish = { stop: 'STOP', calls: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }
  const usageMetadata = {
    promptTokenCount: 20,
    cachedContentTokenCount: 5,
    candidatesTokenCount: 7,
    totalTokenCount: 27,
  }
  const content = (list: object[]) => ({ content: { role: 'model', parts: list } })
  const chunks = parts.map((part) => data({ candidates: [content([part])] }))
  if (end === undefined) return chunks
  return [...chunks, data({ candidates: [{ ...content([]), finishReason: finish[end] }], usageMetadata })]
}

export const APIS: readonly WireApi[] = [
  {
    name: 'openai/gpt-4o',
    path: '/chat/completions',
    chunks: chat(CHAT_USAGE),
    overloaded: CHAT_ERROR,
    thinks: false,
    streamsArguments: true,
  },
  {
    name: 'openai/gpt-5.5',
    path: '/responses',
    chunks: responses,
    overloaded: data({
      type: 'response.failed',
      sequence_number: 9,
      response: { error: { code: 'server_is_overloaded', message: 'The server is overloaded' } },
    }),
    thinks: true,
    streamsArguments: true,
  },
  {
    name: 'openai-compatible/qwen3',
    path: '/chat/completions',
    chunks: chat(CHAT_USAGE),
    overloaded: CHAT_ERROR,
    thinks: true,
    streamsArguments: true,
  },
  {
    name: 'anthropic/claude-sonnet-4-5',
    path: '/messages',
    chunks: anthropic,
    overloaded: anthropicEvents({
      type: 'error',
      error: { type: 'overloaded_error', message: 'The server is overloaded' },
    }).join(''),
    thinks: true,
    streamsArguments: true,
  },
  {
    name: 'google/gemini-3.8-flash',
    path: '/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    chunks: gemini,
    overloaded: data({
      error: { code: 503, message: 'The server is overloaded', status: 'UNAVAILABLE' },
    }),
    thinks: true,
    streamsArguments: false,
  },
  {
    name: 'deepseek/deepseek-v4-pro',
    path: '/chat/completions',
    chunks: chat({ prompt_tokens: 20, prompt_cache_hit_tokens: 5, completion_tokens: 7, total_tokens: 27 }),
    overloaded: CHAT_ERROR,
    thinks: true,
    streamsArguments: true,
  },
]

export function apiOf(name: string): WireApi {
  const api = APIS.find((each) => each.name === name)
  if (api === undefined) throw new Error(`no wire API is called ${name}`)
  return api
}
