// The updates that draw a stored session.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { type ClientProfile, NAMED_PROFILES, type ProfileName } from '#bridge/profile.ts'
import { replayUpdates } from '#bridge/replay.ts'
import { storedPresenters } from '#compose-presenters.ts'
import type { StoredSession } from '#session/read.ts'
import type { Host } from './host.ts'

/** As a client of this name is sent them; what of the log could not be used is told on stderr. */
export function storedUpdates(
  host: Host,
  { header, events, warnings }: StoredSession,
  client: ProfileName,
): SessionUpdate[] {
  for (const warning of warnings) host.stderr.write(`deckhand: ${warning}\n`)
  // Whole views are for clients that ask for them, and no client of these names does.
  const profile: ClientProfile = { ...NAMED_PROFILES[client], cardMeta: false }
  const presenters = storedPresenters(header, host.env)
  const roots = header.roots.map((root) => [root, root] as const)
  return replayUpdates({ cwd: header.cwd, roots, profile, presenters }, events)
}
