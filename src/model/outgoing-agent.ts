// Which way requests leave: through the proxies that the environment names, else directly. Loads an HTTP client.
import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { systemCode } from '#json/thrown.ts'
import { ModelError } from './error.ts'

export interface Proxies {
  httpProxy?: string
  httpsProxy?: string
  noProxy: string
}

/** Never through a proxy: what runs on one's own machine. */
const LOCAL = ['localhost', '127.0.0.1', '::1', '[::1]']

/** undefined when no request goes through a proxy. */
export function proxiesOf(env: Readonly<Record<string, string | undefined>>): Proxies | undefined {
  const read = (name: string): string | undefined =>
    (env[name.toLowerCase()] ?? env[name])?.trim() || undefined
  const all = read('ALL_PROXY')
  const httpProxy = read('HTTP_PROXY') ?? all
  const httpsProxy = read('HTTPS_PROXY') ?? all
  const exempt = read('NO_PROXY')?.split(/[\s,]+/) ?? []
  if ((httpProxy ?? httpsProxy) === undefined || exempt.includes('*')) return undefined
  return {
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    noProxy: [...exempt, ...LOCAL].join(','),
  }
}

export interface Direct {
  /** Resolves the names of hosts that are reached without a proxy. */
  lookup?: LookupFunction
  /** http as requests to the proxy itself, which more proxies allow than a tunnel to port 80. */
  untunnelled?: boolean
}

/** Throws a `ModelError` when an address of a proxy is none. Whoever asks for an agent destroys it. */
export async function outgoingAgent(
  proxies: Proxies | undefined,
  { lookup, untunnelled = false }: Direct = {},
): Promise<Dispatcher> {
  // A bundler gives a CommonJS module nothing but its default export.
  const { Agent, EnvHttpProxyAgent } = (await import('undici')).default
  const connect = lookup && { connect: { lookup } }
  if (proxies === undefined) return new Agent({ ...connect })
  try {
    return new EnvHttpProxyAgent({ ...proxies, ...connect, proxyTunnel: !untunnelled })
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    // The cause holds the address, and that may hold a password.
    const why = `HTTP_PROXY or HTTPS_PROXY is no address of a proxy (${code})`
    throw new ModelError('config', `${why}; correct or unset it.`)
  }
}
