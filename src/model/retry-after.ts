// How long a provider asks us to wait.
import { isJsonObject, type JsonObject } from '#json/value.ts'

/** Milliseconds from `retry-after-ms`, or from `retry-after` (seconds or an HTTP date). `now`: ms since the epoch. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  now: number,
): number | undefined {
  const milliseconds = numberOf(headers?.['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const value = headers?.['retry-after']
  const seconds = numberOf(value)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  const date = value === undefined ? Number.NaN : Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Milliseconds from the `RetryInfo` among the details of Google's errors. */
export function retryDelayMs(error: JsonObject | undefined): number | undefined {
  const details = error?.['details']
  if (!Array.isArray(details)) return undefined
  for (const detail of details) {
    const delay = isJsonObject(detail) ? detail['retryDelay'] : undefined
    const seconds = typeof delay === 'string' ? numberOf(delay.replace(/s$/, '')) : undefined
    if (seconds !== undefined) return Math.round(seconds * 1000)
  }
  return undefined
}

function numberOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}
