// One HTTP request and its answer, within bounds: no redirect is followed, no more is read than asked for.
import type { LookupFunction } from 'node:net'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { outgoingAgent, proxiesOf } from '#model/outgoing-agent.ts'

/** Variables; proxies are named there. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface Exchange {
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Bytes of the decoded body; what is behind them is let go. */
  maxBytes: number
  signal: AbortSignal
  environment: Environment
  /** Resolves the name, unless a proxy does. */
  lookup?: LookupFunction
}

export interface Answer {
  status: number
  /** By lower-case names; of repeated ones the first. */
  headers: Readonly<Record<string, string | undefined>>
  body: Buffer
  /** The body had more bytes. */
  cut: boolean
}

/** Rejects with the system's or HTTP's error, or with the signal's reason. */
export async function exchange(url: URL, { environment, lookup, ...options }: Exchange): Promise<Answer> {
  const dispatcher = await outgoingAgent(proxiesOf(environment), {
    untunnelled: true,
    ...(lookup && { lookup }),
  })
  try {
    return await exchangeBy(dispatcher, url, options)
  } catch (error) {
    options.signal.throwIfAborted()
    throw error
  } finally {
    // Nobody waits for connections that have served.
    void dispatcher.destroy()
  }
}

async function exchangeBy(
  dispatcher: Dispatcher,
  url: URL,
  { method = 'GET', headers, body, signal, maxBytes }: Omit<Exchange, 'environment' | 'lookup'>,
): Promise<Answer> {
  const response = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'deckhand', ...headers },
    signal,
    ...(body !== undefined && { body }),
  })
  const answered = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
  const parts: Buffer[] = []
  let left = maxBytes
  for await (const chunk of decoded(response.body, answered['content-encoding'])) {
    parts.push(chunk.subarray(0, Math.max(0, left)))
    left -= chunk.length
    if (left < 0) break
  }
  return { status: response.statusCode, headers: answered, body: Buffer.concat(parts), cut: left < 0 }
}

function decoded(body: Readable, encoding: string | undefined): AsyncIterable<Buffer> {
  const decoder = decoderFor(encoding)
  // A failure of either stream reaches whoever reads the last one.
  return decoder ? pipeline(body, decoder, () => undefined) : body
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
