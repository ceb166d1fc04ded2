// One HTTP request and its answer, within bounds: no redirect is followed, no more is read than asked for.
import type { LookupAddress } from 'node:dns'
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

export interface Exchange {
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Bytes of the decoded body; what is behind them is let go. */
  maxBytes: number
  signal: AbortSignal
  /** The connection goes to one of these, whatever the name resolves to by then. */
  addresses?: readonly LookupAddress[]
  /** An address of a proxy; it resolves the name then. */
  proxy?: string
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** The body had more bytes. */
  cut: boolean
}

/** Rejects with the system's or HTTP's error, or with the signal's reason. */
export async function exchange(url: URL, options: Exchange): Promise<Answer> {
  const { signal, maxBytes } = options
  const response = await send(url, options)
  const { statusCode: status = 0, headers } = response
  const parts: Buffer[] = []
  let left = maxBytes
  try {
    for await (const chunk of decoded(response)) {
      parts.push(chunk.subarray(0, Math.max(0, left)))
      left -= chunk.length
      if (left < 0) break
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    response.destroy()
  }
  return { status, headers, body: Buffer.concat(parts), cut: left < 0 }
}

function decoded(response: IncomingMessage): AsyncIterable<Buffer> {
  const decoder = decoderFor(response.headers['content-encoding'])
  // A failure of either stream reaches whoever reads the last one.
  return decoder ? pipeline(response, decoder, () => undefined) : response
}

function send(
  url: URL,
  { method = 'GET', headers, body, signal, addresses, proxy }: Exchange,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const agent = agentFor(isSecure, proxy)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (isSecure ? requestHttps : requestHttp)(url, {
    method,
    headers: { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'deckhand', ...headers },
    agent,
    signal,
    ...(addresses && { lookup: pinned(addresses) }),
  })
  request.once('response', resolve)
  request.once('error', (error) => reject(signal.aborted ? signal.reason : error))
  request.end(body)
  return promise
}

/** Versions of Node that know no proxies would go around one. */
function agentFor(isSecure: boolean, proxy: string | undefined): HttpAgent | HttpsAgent {
  const proxyEnv = proxy === undefined ? undefined : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }
  if (proxyEnv && !knowsProxies()) {
    throw new Error(
      `a proxy is configured (${proxy}), which needs Node 24.5 or 22.21; this is ${process.version}`,
    )
  }
  const options = proxyEnv ? { proxyEnv } : {}
  return isSecure ? new HttpsAgent(options) : new HttpAgent(options)
}

function knowsProxies(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21)
}

function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }
}

function decoderFor(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}
