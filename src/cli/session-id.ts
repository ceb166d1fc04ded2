// The id of a session from what the person typed of it.
import { SessionStoreError } from '#session/read.ts'
import type { SessionStore } from '#session/store.ts'

/** Fewer characters are more likely a slip than an id. */
const MIN_LENGTH = 4
const WHOLE_LENGTH = 36

/** The whole id that begins so; what is no beginning stays as it is. Throws a `SessionStoreError` when several begin so. */
export async function wholeId(store: SessionStore, typed: string): Promise<string> {
  if (typed.length >= WHOLE_LENGTH || typed.length < MIN_LENGTH) return typed
  const found = (await allIds(store)).filter((id) => id.startsWith(typed.toLowerCase()))
  if (found.length > 1)
    throw new SessionStoreError(
      'not_found',
      `${found.length} sessions begin with "${typed}": ${found.join(', ')}`,
    )
  return found[0] ?? typed
}

async function allIds(store: SessionStore): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.list({ ...(cursor !== undefined && { cursor }) })
    ids.push(...page.sessions.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids
}
