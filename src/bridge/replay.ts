// Replay: a stored conversation as the updates that drew it, by the same mapper.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { AnyEvent } from '#session/event.ts'
import { createMapper, type MapperOptions } from './updates.ts'

type ReplayOptions = Omit<MapperOptions, 'replay' | 'configOptions'>

/** All updates of a log, in order; `options.cwd` is the log's first one. Pure. */
export function replayUpdates(options: ReplayOptions, events: readonly AnyEvent[]): SessionUpdate[] {
  const mapper = createMapper({ ...options, replay: true })
  return events.flatMap((event) => mapper.push(event))
}
