// `deckhand replay`: a stored session, drawn by the mapper that drew it live.
import { statSync } from 'node:fs'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { foldUpdates } from '#bridge/fold.ts'
import type { ProfileName } from '#bridge/profile.ts'
import { readSettings } from '#config/settings.ts'
import { readSessionFile, SessionStoreError, type StoredSession } from '#session/read.ts'
import { createSessionStore } from '#session/store.ts'
import { canvasFor } from './draw/paint.ts'
import { drawAll } from './draw/transcript.ts'
import type { Host } from './host.ts'
import { wholeId } from './session-id.ts'
import { storedUpdates } from './stored-updates.ts'
import { writePage } from './write-page.ts'

export interface ReplayOptions {
  /** A session's id, its unambiguous beginning, or the path of a log. */
  session: string
  client: ProfileName
  json?: boolean
  /** Where a page is written instead. */
  html?: string
}

/** Resolves with 1 when there is no such session, or its log can't be read. */
export async function replay(host: Host, options: ReplayOptions): Promise<number> {
  try {
    const stored = await find(host, options.session)
    const updates = storedUpdates(host, stored, options.client)
    if (options.html !== undefined) return await drawPage(host, stored, updates, options.html)
    host.stdout.write(
      options.json === true ? wire(updates) : drawAll(canvasFor(host.stdout, host.env), updates),
    )
    return 0
  } catch (error) {
    if (!(error instanceof SessionStoreError)) throw error
    host.stderr.write(`deckhand: ${error.message}\n`)
    return 1
  }
}

async function drawPage(
  host: Host,
  { header }: StoredSession,
  updates: readonly SessionUpdate[],
  target: string,
): Promise<number> {
  const { replayPage } = await import('./replay-page.ts')
  const page = await replayPage(header, foldUpdates(updates))
  if (!(await writePage(host, target, page))) return 1
  host.stdout.write(`${target}\n`)
  return 0
}

function wire(updates: readonly SessionUpdate[]): string {
  return updates.map((update) => `${JSON.stringify(update)}\n`).join('')
}

async function find(host: Host, session: string): Promise<StoredSession> {
  const found = statSync(session, { throwIfNoEntry: false })
  if (found?.isDirectory())
    throw new SessionStoreError('unreadable', `${session} is a directory; the log of a session is a file`)
  if (found) return readSessionFile(session)
  if (/[/\\]|\.jsonl$/.test(session)) throw new SessionStoreError('not_found', `there is no file ${session}`)
  const store = createSessionStore(readSettings(host.env).paths.state)
  return store.read(await wholeId(store, session))
}
