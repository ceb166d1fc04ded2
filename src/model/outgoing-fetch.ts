// How requests leave: through the proxy that the environment names. Node's own fetch knows of none in all versions
// that we run on; further certificates (NODE_EXTRA_CA_CERTS) it reads by itself.
import { systemCode } from '#json/thrown.ts'
import { ModelError } from './error.ts'

type Fetch = typeof globalThis.fetch

/** Never through a proxy: a model of one's own machine. */
const LOCAL = ['localhost', '127.0.0.1', '::1', '[::1]']

/** The global `fetch` without a proxy; else one whose code is loaded with its first request. Reads `env` once. */
export function outgoingFetch(env: NodeJS.ProcessEnv): Fetch {
  const read = (name: string): string | undefined =>
    (env[name.toLowerCase()] ?? env[name])?.trim() || undefined
  const all = read('ALL_PROXY')
  const httpProxy = read('HTTP_PROXY') ?? all
  const httpsProxy = read('HTTPS_PROXY') ?? all
  if (httpProxy === undefined && httpsProxy === undefined) return globalThis.fetch
  const noProxy = [read('NO_PROXY'), ...LOCAL].filter(Boolean).join(',')
  let loaded: Promise<Fetch> | undefined
  return async (input, init) => {
    loaded ??= load({ ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }), noProxy })
    return (await loaded)(input, init)
  }
}

async function load(options: { httpProxy?: string; httpsProxy?: string; noProxy: string }): Promise<Fetch> {
  // A bundler gives a CommonJS module nothing but its default export.
  const { EnvHttpProxyAgent, fetch } = (await import('undici')).default
  const dispatcher = proxyAgent(() => new EnvHttpProxyAgent(options))
  // Undici's types are those of Node under other names.
  return ((input, init) => fetch(input as string, { ...(init as object), dispatcher })) as Fetch
}

function proxyAgent<Agent>(make: () => Agent): Agent {
  try {
    return make()
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    // The cause holds the address, and that may hold a password.
    const why = `HTTP_PROXY or HTTPS_PROXY is no address of a proxy (${code})`
    throw new ModelError('config', `${why}; correct or unset it.`)
  }
}
