// One connection to a server: the library's client over a transport, spoken to in raw requests.
import {
  Client,
  type ClientOptions,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '#json/value.ts'
import type { ToolReport } from '#registry/types.ts'
import type { McpServerConfig } from './config.ts'
import { answerForm } from './elicitation.ts'
import type { ServerHost } from './host.ts'
import { ANSWER_LOST } from './http-transport.ts'
import { answerSampling, declineSampling } from './sampling.ts'

export type ListName = 'tools' | 'prompts' | 'resources'

export interface ConnectionEvents {
  /** The server says that a list is another one now. */
  changed(list: ListName): void
  /** Called once for a connection that had come about, however it ended. */
  closed(): void
}

export interface RequestLimits {
  timeoutMs: number
  /** Aborting it sends the protocol's cancellation and rejects at once. */
  signal?: AbortSignal
  /** Progress starts the timeout anew. */
  report?(progress: Extract<ToolReport, { kind: 'progress' }>): void
}

export interface Connection {
  readonly capabilities: JsonObject
  /** Name and version as the server gives them. */
  readonly serverInfo: string
  /** The result as it came, of any shape. Rejects as the library does. */
  request(method: string, params: JsonObject, limits: RequestLimits): Promise<unknown>
  close(): Promise<void>
}

export interface Handshake {
  server: Pick<McpServerConfig, 'name' | 'sampling'>
  transport: Transport
  host: ServerHost
  events: ConnectionEvents
  timeoutMs: number
  /** Gives up. */
  signal: AbortSignal
}

/** Shakes hands. Rejects, with the transport closed, when that fails or takes too long. */
export async function establish(handshake: Handshake): Promise<Connection> {
  const { server, transport, host, events, timeoutMs, signal } = handshake
  const client = createClient(server, host)
  const end = async (): Promise<void> => transport.close().catch(() => undefined)
  let established = false
  client.onclose = () => {
    if (established) events.closed()
  }
  client.onerror = (error) => {
    host.log('debug', `MCP server ${server.name}: ${error.message}`)
    // A stream that broke brings no answer any more, and the library would open another one without a handshake.
    if (error instanceof SseError) void end()
  }
  for (const list of ['tools', 'prompts', 'resources'] as const) {
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => events.changed(list))
  }
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`it did not answer within ${timeoutMs / 1000} s`)),
    timeoutMs,
  )
  const giveUp = (): void => late.reject(new Error('it was stopped'))
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  try {
    await Promise.race([client.connect(transport, { timeout: timeoutMs + 1000 }), late.promise])
    established = true
  } catch (error) {
    await end()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
  return connectionOf(client, transport)
}

/** How long a server over HTTP may take to hear that its session is over, in milliseconds. */
const FAREWELL_MS = 500

function connectionOf(client: Client, transport: Transport): Connection {
  const capabilities: unknown = client.getServerCapabilities()
  const { name = '', version = '' } = client.getServerVersion() ?? {}
  return {
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    serverInfo: `${name} ${version}`.trim(),
    request: (method, params, { timeoutMs, signal, report }) =>
      client.request({ method, params }, z.unknown(), {
        timeout: timeoutMs,
        resetTimeoutOnProgress: true,
        ...(signal && { signal }),
        ...(report && {
          onprogress: ({ progress, total, message }) =>
            report({
              kind: 'progress',
              done: progress,
              ...(total !== undefined && { total }),
              ...(message !== undefined && { message }),
            }),
        }),
      }),
    close: async () => {
      if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined) {
        const told = transport.terminateSession().catch(() => undefined)
        await Promise.race([told, sleep(FAREWELL_MS, undefined, { ref: false })])
      }
      await client.close()
    },
  }
}

/** The library validates structured results on its own calls only, which are not used here. */
const UNUSED: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
}

function createClient({ name, sampling }: Handshake['server'], host: ServerHost): Client {
  const form = host.form()
  const sample = sampling ? host.sample : undefined
  const client = new Client(
    { name: 'deckhand', title: 'Deckhand', version: host.version },
    {
      capabilities: {
        roots: {},
        ...(form && { elicitation: { form: {} } }),
        ...(sample && { sampling: {} }),
      },
      jsonSchemaValidator: UNUSED,
    },
  )
  client.setRequestHandler('roots/list', () => ({
    roots: host.roots.map((root) => ({ uri: pathToFileURL(root).href })),
  }))
  if (form) {
    client.setRequestHandler('elicitation/create', (request, { mcpReq }) =>
      answerForm(form, name, request.params, mcpReq.signal),
    )
  }
  if (sample) {
    client.setRequestHandler('sampling/createMessage', (request, { mcpReq }) =>
      answerSampling(sample, request.params, mcpReq.signal, (text) =>
        host.log('warn', `MCP server ${name}: ${text}`),
      ),
    )
  }
  client.fallbackRequestHandler = async ({ method }) => {
    if (method === 'elicitation/create') return { action: 'decline' }
    if (method === 'sampling/createMessage') throw declineSampling()
    throw new ProtocolError(-32_601, `Method not found: ${method}`)
  }
  return client
}

/** Whether the server can't be reached any more, as opposed to answering with an error or not in time. */
export function isLost(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === ANSWER_LOST
  if (error instanceof SdkHttpError) return error.status === 404
  if (error instanceof SdkError)
    return [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(
      error.code,
    )
  return true
}

/** Whether the server can't have begun with the request: it had lost our session. */
export function neverRan(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404
}

/** The HTTP status that an error stands for. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof SdkHttpError ? error.status : undefined
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout
}

/** Whether the server does not know the method. */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === -32_601
}
