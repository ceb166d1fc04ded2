// A mapper in tests: events in, updates out.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { NAMED_PROFILES, type ProfileName } from '#bridge/profile.ts'
import { createMapper, type MapperOptions } from '#bridge/updates.ts'
import type { AnyEvent } from '#session/event.ts'
import { callEvents, CWD, presenters } from './conversation.ts'

/** Of a session in `CWD` without roots. */
export function options(profile: ProfileName, more: Partial<MapperOptions> = {}): MapperOptions {
  return { cwd: CWD, roots: [], profile: NAMED_PROFILES[profile], presenters, ...more }
}

/** What a client is sent while the events happen. */
export function live(
  events: readonly AnyEvent[],
  profile: ProfileName,
  more: Partial<MapperOptions> = {},
): SessionUpdate[] {
  const mapper = createMapper(options(profile, more))
  return events.flatMap((event) => mapper.push(event))
}

/** The updates of one call. */
export function ofCall(updates: readonly SessionUpdate[], id: string): Record<string, unknown>[] {
  return updates.filter((update) => 'toolCallId' in update && update.toolCallId === id) as unknown as Record<
    string,
    unknown
  >[]
}

export function turn(...events: AnyEvent[]): AnyEvent[] {
  return [{ type: 'turn_start', turnId: 't' }, ...events]
}

/** A call whose arguments were not streamed. */
export function announced(callId: string, name: string, args: Parameters<typeof callEvents>[2]): AnyEvent[] {
  const { part } = callEvents(callId, name, args)
  return [
    { type: 'assistant_message', message: { id: `m-${callId}`, parts: [part as never] } },
    { type: 'tool_call', callId, name, messageId: `m-${callId}` },
  ]
}
