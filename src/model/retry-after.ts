// How long a provider asks us to wait.

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

function numberOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}
