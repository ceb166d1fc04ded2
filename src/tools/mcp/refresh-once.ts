// Tokens are refreshed once: two requests that find them expired use the same refresh token, and many servers take one
// only the first time. Whoever came second was taken for somebody who is not authorized.

/** Milliseconds for which the answer to a refresh stands for whoever still asks with the same token. */
const KEPT_MS = 10_000

/** Other requests pass; what failed is not kept. */
export function refreshOnce(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const answers = new Map<string, Promise<Response>>()
  const ask = (key: string, ...request: Parameters<typeof fetch>): Promise<Response> => {
    const answer = fetch(...request)
    const forget = (): void => void answers.delete(key)
    answers.set(key, answer)
    answer.then(({ ok }) => (ok ? setTimeout(forget, KEPT_MS).unref() : forget()), forget)
    return answer
  }
  return async (input, init) => {
    const token = refreshTokenOf(init?.body)
    if (token === undefined) return fetch(input, init)
    const key = `${input instanceof Request ? input.url : String(input)} ${token}`
    return (await (answers.get(key) ?? ask(key, input, init))).clone()
  }
}

function refreshTokenOf(body: unknown): string | undefined {
  if (!(body instanceof URLSearchParams) && typeof body !== 'string') return undefined
  const form = new URLSearchParams(body)
  return form.get('grant_type') === 'refresh_token' ? (form.get('refresh_token') ?? undefined) : undefined
}
