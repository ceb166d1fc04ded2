import { expect, it, vi } from 'vitest'
import { refreshOnce } from '#tools/mcp/refresh-once.ts'

const URL_OF_TOKENS = 'http://127.0.0.1/token'

/** Takes each refresh token once, as careful servers do. */
function server() {
  const used = new Set<string>()
  return vi.fn(async (_input: unknown, init?: RequestInit) => {
    const token = new URLSearchParams(init?.body as string).get('refresh_token') ?? ''
    const first = !used.has(token)
    used.add(token)
    return Response.json(first ? { access_token: `of ${token}` } : { error: 'invalid_grant' }, {
      status: first ? 200 : 400,
    })
  })
}

const refresh = (token: string) => ({
  method: 'POST',
  body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
})

it('a refresh token is used once, whoever finds the tokens expired at the same time or a moment later', async () => {
  const asked = server()
  const fetch = refreshOnce(asked as never)
  const together = await Promise.all([fetch(URL_OF_TOKENS, refresh('a')), fetch(URL_OF_TOKENS, refresh('a'))])
  const later = await fetch(URL_OF_TOKENS, refresh('a'))
  for (const response of [...together, later]) expect(await response.json()).toEqual({ access_token: 'of a' })
  expect(asked).toHaveBeenCalledOnce()
  expect(await (await fetch(URL_OF_TOKENS, refresh('b'))).json()).toEqual({ access_token: 'of b' })
})

it('what failed is asked for again, and other requests pass', async () => {
  const asked = vi.fn(async () => new Response('busy', { status: 503 }))
  const fetch = refreshOnce(asked as never)
  for (let again = 0; again < 2; again++) expect((await fetch(URL_OF_TOKENS, refresh('a'))).status).toBe(503)
  const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'c' })
  for (let again = 0; again < 2; again++) await fetch(URL_OF_TOKENS, { method: 'POST', body })
  await fetch(URL_OF_TOKENS)
  expect(asked).toHaveBeenCalledTimes(5)
  asked.mockRejectedValueOnce(new Error('gone'))
  await expect(fetch(URL_OF_TOKENS, refresh('c'))).rejects.toThrow('gone')
  expect((await fetch(URL_OF_TOKENS, refresh('c'))).status).toBe(503)
})
