// `deckhand replay`: a stored session, drawn by the mapper that drew it live.
import { existsSync } from 'node:fs'
import { clientProfile, type ClientProfile } from '#bridge/profile.ts'
import { replayUpdates } from '#bridge/replay.ts'
import { readSettings } from '#config/settings.ts'
import { readSessionFile, SessionStoreError, type StoredSession } from '#session/read.ts'
import { createSessionStore } from '#session/store.ts'
import { canvasFor } from './draw/paint.ts'
import { close, draw, emptyTranscript } from './draw/transcript.ts'
import type { Host } from './host.ts'
import { storedPresenters } from './presenters.ts'

export type ClientName = 'zed' | 'plain' | 'fs-only'

export interface ReplayOptions {
  /** A session's id, or the path of a log. */
  session: string
  client: ClientName
  json?: boolean
}

const CAPABILITIES = {
  zed: { fs: { readTextFile: true, writeTextFile: true }, _meta: { terminal_output: true } },
  plain: {},
  'fs-only': { fs: { readTextFile: true, writeTextFile: true } },
} as const

/** Resolves with 1 when there is no such session, or its log can't be read. */
export async function replay(host: Host, options: ReplayOptions): Promise<number> {
  try {
    const stored = await find(host, options.session)
    for (const warning of stored.warnings) host.stderr.write(`deckhand: ${warning}\n`)
    host.stdout.write(drawn(host, stored, clientProfile(CAPABILITIES[options.client]), options.json === true))
    return 0
  } catch (error) {
    if (!(error instanceof SessionStoreError)) throw error
    host.stderr.write(`deckhand: ${error.message}\n`)
    return 1
  }
}

async function find(host: Host, session: string): Promise<StoredSession> {
  if (existsSync(session)) return readSessionFile(session)
  return createSessionStore(readSettings(host.env).paths.state).read(session)
}

function drawn(host: Host, stored: StoredSession, profile: ClientProfile, json: boolean): string {
  const { header, events } = stored
  const presenters = storedPresenters(header, host.env)
  const roots = header.roots.map((root) => [root, root] as const)
  const updates = replayUpdates({ cwd: header.cwd, roots, profile, presenters }, events)
  if (json) return updates.map((update) => `${JSON.stringify(update)}\n`).join('')
  const canvas = canvasFor(host.stdout, host.env)
  let state = emptyTranscript
  let text = ''
  for (const update of updates) {
    const [next, more] = draw(canvas, state, update)
    state = next
    text += more
  }
  return text + close(canvas, state)[1]
}
