// What comes in, before anybody looks at it: lines and messages that nothing could handle are refused, one by one.
import type { AnyMessage } from '@agentclientprotocol/sdk'
import { isDeeper } from '#json/depth.ts'
import { MAX_LEVELS, MAX_LEVELS_TEXT } from '#json/materialize.ts'

/** Bytes of one line; the library gives the connection up beyond as many. */
const LONGEST = 32 * 1024 * 1024
const NEWLINE = 0x0a

const TOO_DEEP = `the message is nested more than ${MAX_LEVELS_TEXT} levels deep`

/** Cuts lines that are too long, so that they are no JSON, and are answered as such. `onCut` is told of each. */
export function cutLongLines(onCut: (limit: number) => void): TransformStream<Uint8Array, Uint8Array> {
  let length = 0
  let cut = false
  return new TransformStream({
    transform(chunk, controller) {
      for (let from = 0; from < chunk.length;) {
        const newline = chunk.indexOf(NEWLINE, from)
        const to = newline < 0 ? chunk.length : newline
        const fits = Math.min(to - from, LONGEST - length)
        length += fits
        if (!cut && fits < to - from) {
          cut = true
          onCut(LONGEST)
        }
        const end = newline < 0 || fits < to - from ? from + fits : newline + 1
        if (end > from) controller.enqueue(chunk.subarray(from, end))
        if (newline >= 0 && end <= newline) controller.enqueue(Uint8Array.of(NEWLINE))
        if (newline >= 0) [length, cut] = [0, false]
        from = to + 1
      }
    },
  })
}

/** Refuses messages that could not be written, logged or checked without overflowing the stack. */
export function refuseDeep(answer: (message: AnyMessage) => void): TransformStream<AnyMessage, AnyMessage> {
  return new TransformStream({
    transform(message, controller) {
      if (!isDeeper(message, MAX_LEVELS)) return controller.enqueue(message)
      const error = { code: -32600, message: TOO_DEEP }
      const id = idOf(message)
      const responds =
        !('method' in message) && ('id' in message || 'result' in message || 'error' in message)
      if (responds) return controller.enqueue({ jsonrpc: '2.0', id, error })
      if ('id' in message || !isNotification(message)) answer({ jsonrpc: '2.0', id, error })
    },
  })
}

function isNotification(message: object): boolean {
  const { jsonrpc, method } = message as { jsonrpc?: unknown; method?: unknown }
  return jsonrpc === '2.0' && typeof method === 'string'
}

/** What an answer can name; null where the message has no usable id. */
function idOf(message: object): string | number | null {
  const { jsonrpc, id, method = '' } = message as { jsonrpc?: unknown; id?: unknown; method?: unknown }
  const usable = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))
  return usable && jsonrpc === '2.0' && typeof method === 'string' ? id : null
}
