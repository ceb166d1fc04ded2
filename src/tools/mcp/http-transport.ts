// The library's streamable HTTP, which would wait until the timeout for an answer whose stream has broken.
import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client'

/** The code of the error that stands for an answer that will not come; from the range that is left to clients. */
export const ANSWER_LOST = -32_098

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1]

export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #waiting = new Set<string | number>()

  constructor(url: URL, options: StreamableHTTPClientTransportOptions) {
    super(url, options)
    this.onmessage = (message) => {
      if (!('method' in message) && message.id !== undefined) this.#waiting.delete(message.id)
    }
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    const id = !Array.isArray(message) && 'method' in message && 'id' in message ? message.id : undefined
    if (id === undefined) return super.send(message, options)
    this.#waiting.add(id)
    return super.send(message, { ...options, onRequestStreamEnd: () => this.#ended(id) })
  }

  #ended(id: string | number): void {
    if (!this.#waiting.delete(id)) return
    const error = { code: ANSWER_LOST, message: 'the server broke off its answer' }
    this.onmessage?.({ jsonrpc: '2.0', id, error })
  }
}
