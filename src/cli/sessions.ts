// `deckhand sessions`: what is stored, and what can be done with it.
import { foldUpdates } from '#bridge/fold.ts'
import { readSettings } from '#config/settings.ts'
import { SessionStoreError } from '#session/read.ts'
import { createSessionStore, type SessionStore } from '#session/store.ts'
import { clean, clip, columnsOf } from './draw/text.ts'
import type { Host } from './host.ts'
import { conversationMarkdown } from './markdown.ts'
import { everySession, wholeId } from './session-id.ts'
import { storedUpdates } from './stored-updates.ts'

/** Columns that a title has even where the line gets too long. */
const MIN_TITLE = 12

export type SessionsAction = 'list' | 'show' | 'export' | 'delete'

export interface SessionsOptions {
  action: SessionsAction
  /** For all but `list`. */
  id?: string
  /** For `list`: only the sessions of this directory. */
  cwd?: string
}

/** Resolves with 1 when there is no such session, 2 when an id is missing. */
export async function sessions(host: Host, { action, id, cwd }: SessionsOptions): Promise<number> {
  const store = createSessionStore(readSettings(host.env).paths.state)
  if (action === 'list') return list(host, store, cwd)
  if (id === undefined) {
    host.stderr.write(`deckhand: sessions ${action} needs the id of a session; see deckhand sessions list\n`)
    return 2
  }
  if (action === 'show') return (await import('./replay.ts')).replay(host, { session: id, client: 'zed' })
  try {
    const whole = await wholeId(store, id)
    await store.read(whole)
    if (action === 'delete') await store.remove(whole)
    else host.stdout.write(await markdownOf(host, store, whole))
    return 0
  } catch (error) {
    if (!(error instanceof SessionStoreError)) throw error
    host.stderr.write(`deckhand: ${error.message}\n`)
    return 1
  }
}

async function list(host: Host, store: SessionStore, cwd: string | undefined): Promise<number> {
  let none = true
  const stored = everySession(store, { ...(cwd !== undefined && { cwd }) })
  for await (const { id, updatedAt, cwd: place, title } of stored) {
    none = false
    const facts = `${id}  ${updatedAt.slice(0, 16).replace('T', ' ')}`
    host.stdout.write(`${facts}  ${shownTitle(host, title ?? '(no title)', facts, place)}  ${place}\n`)
  }
  // Scripts read the list: what is no session is not in it.
  if (none) host.stderr.write(`No session is stored${cwd === undefined ? '' : ` for ${cwd}`}.\n`)
  return 0
}

/** On a terminal the title is as long as the line leaves room for; elsewhere it is whole. */
function shownTitle({ stdout }: Host, title: string, facts: string, place: string): string {
  const line = clean(title.replaceAll(/\s+/g, ' '))
  if (!stdout.isTTY) return line
  return clip(line, Math.max(MIN_TITLE, stdout.columns - columnsOf(facts) - columnsOf(place) - 4))
}

async function markdownOf(host: Host, store: SessionStore, id: string): Promise<string> {
  const stored = await store.read(id)
  return conversationMarkdown(foldUpdates(storedUpdates(host, stored, 'zed')), stored.header)
}
