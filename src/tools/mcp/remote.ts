// Connecting to servers over HTTP: streamable HTTP or SSE, with headers, authorized where they ask for it.
import { SdkHttpError, SSEClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { Authorization } from './authorization.ts'
import type { RemoteServer } from './config.ts'
import { type Connection, type ConnectionEvents, establish, type Handshake } from './connection.ts'
import { credentialsOf } from './credentials.ts'
import type { ServerHost } from './host.ts'
import { HttpTransport } from './http-transport.ts'
import { refreshOnce } from './refresh-once.ts'
import type { Timing } from './timing.ts'

export interface RemoteEvents extends ConnectionEvents {
  /** A person has to open this address; undefined when that is over. */
  authorizing(url: string | undefined): void
}

/** How a broken stream of an answer is taken up again; what fails behind that costs the connection. */
const RESUMPTION = {
  initialReconnectionDelay: 300,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 2000,
  maxRetries: 3,
}

/** Rejects when no connection comes about; waits for a person where the server wants one. */
export async function connectRemote(
  server: RemoteServer,
  given: ServerHost,
  events: RemoteEvents,
  timing: Timing,
  signal: AbortSignal,
): Promise<Connection> {
  const host = { ...given, fetch: refreshOnce(given.fetch) }
  const credentials = credentialsOf(host.stateDirectory, server.url)
  const attempt = (authorization?: Authorization): Promise<Connection> =>
    open(server, { host, events, timeoutMs: timing.handshake, signal }, authorization)
  if ((await credentials.load()).tokens === undefined) {
    try {
      return await attempt()
    } catch (error) {
      if (!wantsAuthorization(error)) throw error
    }
  }
  const authorization = await Authorization.begin(credentials, (url) => events.authorizing(url))
  try {
    return await attempt(authorization).catch(async (error: unknown) => {
      if (!(error instanceof UnauthorizedError)) throw error
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timing.authorization)])
      const answer = await authorization.answer(limit)
      await transportOf(server, server.type, host.fetch, authorization).finishAuth(answer)
      events.authorizing(undefined)
      return attempt(authorization)
    })
  } finally {
    authorization.close()
  }
}

async function open(
  server: RemoteServer,
  shared: Omit<Handshake, 'server' | 'transport'>,
  authorization: Authorization | undefined,
): Promise<Connection> {
  const by = (type: 'http' | 'sse'): Promise<Connection> =>
    establish({
      ...shared,
      server,
      transport: transportOf(server, type, shared.host.fetch, authorization),
    })
  if (server.type === 'sse' || !server.orSse) return by(server.type)
  return by('http').catch((error: unknown) => {
    const status = error instanceof SdkHttpError ? error.status : 0
    if (status < 400 || status >= 500 || status === 401 || status === 403) throw error
    return by('sse')
  })
}

function transportOf(
  { url, headers }: RemoteServer,
  type: 'http' | 'sse',
  fetch: typeof globalThis.fetch,
  authProvider: Authorization | undefined,
): HttpTransport | SSEClientTransport {
  const options = { requestInit: { headers }, fetch, ...(authProvider && { authProvider }) }
  return type === 'sse'
    ? new SSEClientTransport(new URL(url), options)
    : new HttpTransport(new URL(url), { ...options, reconnectionOptions: RESUMPTION })
}

function wantsAuthorization(error: unknown): boolean {
  if (error instanceof UnauthorizedError) return true
  if (error instanceof SdkHttpError) return error.status === 401
  return error instanceof Error && 'code' in error && error.code === 401
}
