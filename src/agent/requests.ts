// Requests: what the model is sent at each step, kept inside its window.
import { ModelError } from '#model/error.ts'
import type { ModelMessage } from '#model/message.ts'
import type { Model, ModelRequest } from '#model/port.ts'
import { Conversation } from '#session/conversation.ts'
import { contextTokens, makeRoom } from './compaction.ts'
import { tellOfImages } from './images.ts'
import type { LiveSession } from './live-session.ts'
import type { Turn } from './turn.ts'

export interface Requests {
  /** Rejects with `ModelError` when the conversation can't be made to fit. */
  next(): Promise<ModelRequest | 'cancelled'>
}

export function createRequests(turn: Turn, model: Model, system: string): Requests {
  const { session, signal } = turn
  // One failed attempt a turn: trying again before each step would fail the same way.
  let mayCompact = true
  let looked = 0
  const kept = new Conversation()
  const conversation = (): ModelMessage[] => kept.of(session.history())
  return {
    async next() {
      const tools = session.tools.schemas
      const size = counted(() => contextTokens(session.history(), system, tools, conversation), session)
      if (signal.aborted) return 'cancelled'
      tellOfImages(session, model, looked)
      looked = session.history().length
      if (mayCompact) {
        const room = await makeRoom({ session, model, system, tools, signal, size }).catch(
          (thrown: unknown) => {
            if (signal.aborted) return 'cancelled' as const
            throw thrown
          },
        )
        if (room === 'cancelled') return room
        mayCompact = room.kind !== 'failed'
        if (room.kind === 'failed') tellOfFailure(session, room.message)
      }
      const tokens = size()
      if (tokens > model.contextWindow) throw tooLarge(model, tokens)
      return { system, messages: conversation(), tools, signal }
    },
  }
}

/** Counts again only when something has happened since. */
function counted(count: () => number, session: LiveSession): () => number {
  let [seq, size] = [-1, 0]
  return () => {
    const last = session.history().at(-1)?.seq ?? 0
    if (last !== seq) [seq, size] = [last, count()]
    return size
  }
}

function tellOfFailure(session: LiveSession, description: string): void {
  const title = 'The conversation could not be compacted'
  session.record({ type: 'notice', severity: 'warning', title, description })
}

function tooLarge(model: Model, tokens: number): ModelError {
  const [needed, window] = [tokens, model.contextWindow].map((count) => count.toLocaleString('en-US'))
  return new ModelError(
    'bad_request',
    `This conversation needs about ${needed} tokens, but ${model.provider}/${model.id} takes ${window}: send a shorter prompt, or choose a model with a larger window.`,
  )
}
