// A model endpoint on 127.0.0.1 that answers by script and remembers what it was sent.
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Reply {
  /** Default 200. */
  status?: number
  headers?: Record<string, string>
  /** Written one by one, each in a packet of its own. */
  chunks?: readonly (string | Uint8Array)[]
  /** `end` (default) finishes the answer, `cut` resets the connection, `hang` leaves it open. */
  finish?: 'end' | 'cut' | 'hang'
}

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** Parsed JSON; a test says what it expects to find. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface SseServer extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string
  requests: Received[]
  /** Resolves when a client has gone away before its answer was finished. */
  disconnected: Promise<void>
}

/** Answers the n-th request with the n-th reply, then with the last one. */
export async function startSseServer(...replies: Reply[]): Promise<SseServer> {
  const requests: Received[] = []
  const gone = Promise.withResolvers<void>()
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const sent = await text(request)
    requests.push({
      path: request.url ?? '',
      headers: request.headers,
      body: sent === '' ? undefined : JSON.parse(sent),
    })
    response.on('close', () => response.writableFinished || gone.resolve())
    await answer(response, replies[Math.min(requests.length, replies.length) - 1] ?? {})
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    disconnected: gone.promise,
    [Symbol.asyncDispose]: () => stop(server),
  }
}

async function answer(response: ServerResponse, reply: Reply): Promise<void> {
  response.socket?.setNoDelay(true)
  response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream', ...reply.headers })
  response.flushHeaders()
  for (const chunk of reply.chunks ?? []) {
    await new Promise((resolve) => response.write(chunk, resolve))
    await new Promise(setImmediate)
  }
  if (reply.finish === 'cut') response.socket?.resetAndDestroy()
  else if (reply.finish !== 'hang') response.end()
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** Chunks of an OpenAI chat completion. A string is sent as it is. */
export function openaiChunks(...deltas: (object | string)[]): string[] {
  return deltas.map((delta) =>
    typeof delta === 'string' ? delta : `data: ${JSON.stringify(chunkOf(delta))}\n\n`,
  )
}

function chunkOf(delta: object): object {
  const { finish, usage, ...rest } = delta as { finish?: string; usage?: object }
  const choices = usage === undefined ? [{ index: 0, delta: rest, finish_reason: finish ?? null }] : []
  return {
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices,
    ...(usage && { usage }),
  }
}

export const OPENAI_DONE = 'data: [DONE]\n\n'

/** Events of the Anthropic Messages API. */
export function anthropicEvents(...events: ({ type: string } & Record<string, unknown>)[]): string[] {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

export const ANTHROPIC_START = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 11, cache_read_input_tokens: 5, cache_creation_input_tokens: 0, output_tokens: 1 },
  },
}
/** The last two events. */
export function anthropicEnd(
  stopReason: string,
  outputTokens = 7,
): ({ type: string } & Record<string, unknown>)[] {
  const delta = { stop_reason: stopReason, stop_sequence: null }
  return [{ type: 'message_delta', delta, usage: { output_tokens: outputTokens } }, { type: 'message_stop' }]
}
