// The sessions of a store, and the id of one from what the person typed of it.
import type { SessionSummary } from '#session/catalogue.ts'
import { SessionStoreError } from '#session/read.ts'
import type { SessionStore } from '#session/store.ts'

/** Fewer characters are more likely a slip than an id. */
const MIN_LENGTH = 4
const WHOLE_LENGTH = 36

/** The whole id that begins so; throws a `SessionStoreError` when none or several do. */
export async function wholeId(store: SessionStore, typed: string): Promise<string> {
  if (typed.length >= WHOLE_LENGTH) return typed
  if (typed.length < MIN_LENGTH)
    throw new SessionStoreError(
      'not_found',
      `the beginning of an id has at least ${MIN_LENGTH} characters, unlike "${typed}"; see deckhand sessions list`,
    )
  const found: string[] = []
  for await (const { id } of everySession(store)) if (id.startsWith(typed.toLowerCase())) found.push(id)
  if (found.length > 1)
    throw new SessionStoreError(
      'not_found',
      `${found.length} sessions begin with "${typed}": ${found.join(', ')}`,
    )
  if (found[0] === undefined)
    throw new SessionStoreError('not_found', `there is no session "${typed}"; see deckhand sessions list`)
  return found[0]
}

/** All that are stored, newest first, page by page; only those of a directory where one is given. */
export async function* everySession(
  store: SessionStore,
  query: { cwd?: string } = {},
): AsyncGenerator<SessionSummary> {
  let cursor: string | undefined
  do {
    const page = await store.list({ ...query, ...(cursor !== undefined && { cursor }) })
    yield* page.sessions
    cursor = page.nextCursor
  } while (cursor !== undefined)
}
