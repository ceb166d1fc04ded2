// Fetching a page: addresses are checked after resolution, at every redirect, and the connection goes where was checked.
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { ToolError } from '#registry/errors.ts'
import type { AddressRule } from './address.ts'
import { type Answer, type Environment, exchange } from './exchange.ts'

export interface PageRequest {
  url: string
  maxBytes: number
  signal: AbortSignal
}

export interface Reach {
  rule: AddressRule
  /** Where proxies are named. */
  environment: Environment
  /** Of the system by default. */
  resolve?(hostname: string): Promise<LookupAddress[]>
}

export interface Page extends Answer {
  /** After redirects within the host. */
  url: string
  /** Where the page has moved to, on another host. */
  movedTo?: string
}

const MAX_REDIRECTS = 10
const ACCEPT = 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5'

/** Throws a `ToolError`, or what `exchange` rejects with. */
export async function fetchPage({ url, maxBytes, signal }: PageRequest, reach: Reach): Promise<Page> {
  let current = webAddress(url)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await exchange(current, {
      headers: { accept: ACCEPT },
      maxBytes,
      signal,
      environment: reach.environment,
      lookup: await checkedLookup(current, reach),
    })
    const next = redirectOf(answer, current)
    if (!next) return { ...answer, url: current.href }
    if (!isSameHost(current, next)) return { ...answer, url: current.href, movedTo: next.href }
    current = next
  }
  throw new ToolError('WEB_TOO_MANY_REDIRECTS', `${url} redirects more than ${MAX_REDIRECTS} times`)
}

/** Throws where the text alone tells that the address is refused; a name is judged when it is looked up. */
export function checkAddress(text: string, rule: AddressRule): void {
  const url = webAddress(text)
  const hostname = bareHost(url)
  if (isIP(hostname) !== 0 && !rule.allows(hostname, hostname)) throw refusal(url, hostname)
}

/** Throws `INVALID_URL` for what is no http or https address. */
function webAddress(text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ToolError('INVALID_URL', `${JSON.stringify(text)} is no http or https address`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolError('INVALID_URL', 'addresses with a user name or password are not fetched')
  }
  return url
}

/** Answers with what was checked, whatever the name resolves to by the time of the connection. */
async function checkedLookup(url: URL, reach: Reach): Promise<LookupFunction> {
  const addresses = await checkedAddresses(url, reach).catch((error: unknown) => {
    if (error instanceof ToolError || !(error instanceof Error)) throw error
    // Behind a proxy names may be resolvable there only; without one the connection fails for this.
    return error
  })
  return (_hostname, { all }, callback) => {
    if (addresses instanceof Error) callback(addresses, [])
    else if (all) callback(null, addresses)
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

/** All addresses of the host. One that is not allowed refuses the whole: the system would be free to choose it. */
async function checkedAddresses(url: URL, { rule, resolve = resolveName }: Reach): Promise<LookupAddress[]> {
  const hostname = bareHost(url)
  const family = isIP(hostname)
  const addresses = family === 0 ? await resolve(hostname) : [{ address: hostname, family }]
  const refused = addresses.find(({ address }) => !rule.allows(hostname, address))
  if (!refused && addresses.length > 0) return addresses
  throw refusal(url, refused?.address)
}

function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function refusal(url: URL, address = 'nowhere'): ToolError {
  const what = address === bareHost(url) ? address : `${url.host} is ${address}, which`
  return new ToolError(
    'WEB_ADDRESS_REFUSED',
    `${what} is not a public address; web.allowHosts in the configuration can allow it`,
  )
}

function resolveName(hostname: string): Promise<LookupAddress[]> {
  return lookup(hostname, { all: true })
}

function redirectOf({ status, headers }: Answer, base: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return undefined
  const next = URL.parse(headers.location, base.href)
  return next ? webAddress(next.href) : undefined
}

/** The same name and port, or the step from http to https. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false
  return (
    from.host === to.host ||
    (from.protocol === 'http:' && from.port === '' && to.protocol === 'https:' && to.port === '')
  )
}
