// Replay: a stored conversation as the updates that drew it, by the same mapper.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { AnyEvent } from '#session/event.ts'
import { createMapper, type MapperOptions } from './updates.ts'

type ReplayOptions = Omit<MapperOptions, 'replay' | 'configOptions'>

/** The updates of a log, in order, made as they are asked for; `options.cwd` is the log's first one. Pure. */
export function* replay(options: ReplayOptions, events: Iterable<AnyEvent>): Generator<SessionUpdate> {
  const mapper = createMapper({ ...options, replay: true })
  for (const event of events) yield* mapper.push(event)
}

/** All updates of a log. */
export function replayUpdates(options: ReplayOptions, events: readonly AnyEvent[]): SessionUpdate[] {
  return [...replay(options, events)]
}
