// How requests to models and servers leave: Node's own fetch knows of no proxies in all versions that we run on;
// further certificates (NODE_EXTRA_CA_CERTS) it reads by itself.
import { outgoingAgent, type Proxies, proxiesOf } from './outgoing-agent.ts'

type Fetch = typeof globalThis.fetch

/** The global `fetch` without a proxy; else one whose code is loaded with its first request. Reads `env` once. */
export function outgoingFetch(env: NodeJS.ProcessEnv): Fetch {
  const proxies = proxiesOf(env)
  if (proxies === undefined) return globalThis.fetch
  let loaded: Promise<Fetch> | undefined
  return async (input, init) => {
    loaded ??= load(proxies)
    return (await loaded)(input, init)
  }
}

async function load(proxies: Proxies): Promise<Fetch> {
  const { fetch } = (await import('undici')).default
  const dispatcher = await outgoingAgent(proxies)
  // Undici's types are those of Node under other names.
  return ((input, init) => fetch(input as string, { ...(init as object), dispatcher })) as Fetch
}
