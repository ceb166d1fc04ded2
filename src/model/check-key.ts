// Whether a provider takes a key: one request that costs nothing.
import { systemCode, thrownMessage } from '#json/thrown.ts'
import type { Endpoint } from './endpoint.ts'
import { networkFault } from './network-fault.ts'
import { presentable } from './error-detail.ts'

export type KeyVerdict =
  | { kind: 'good' }
  | { kind: 'refused'; status: number }
  /** The provider did not say: no connection, or an endpoint without a list of models. */
  | { kind: 'unknown'; why: string }

const TIMEOUT_MS = 15_000

/** Asks for the list of models. Never rejects; the verdict holds no key. */
export async function checkKey(
  endpoint: Endpoint,
  key: string,
  fetch: typeof globalThis.fetch,
): Promise<KeyVerdict> {
  if (endpoint.baseURL === undefined) return { kind: 'unknown', why: 'no address is known' }
  try {
    const response = await fetch(`${endpoint.baseURL}/models`, {
      headers: { ...authorization(endpoint, key), ...endpoint.settings.headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (response.ok) return { kind: 'good' }
    const wrongKey = response.status === 400 && /API_KEY_INVALID|API key not valid/.test(text)
    if (response.status === 401 || response.status === 403 || wrongKey) {
      return { kind: 'refused', status: response.status }
    }
    return { kind: 'unknown', why: `${endpoint.title} answered with ${response.status}` }
  } catch (error) {
    return { kind: 'unknown', why: presentable(causeOf(error), [key]) }
  }
}

function authorization({ api }: Endpoint, key: string): Record<string, string> {
  switch (api.authorization) {
    case 'x-api-key':
      return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    case 'x-goog-api-key':
      return { 'x-goog-api-key': key }
    case 'bearer':
      return { authorization: `Bearer ${key}` }
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = systemCode(cause)
  return code === undefined ? thrownMessage(error) : networkFault(code, cause).detail
}
