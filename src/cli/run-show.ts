// What `deckhand run` shows of a turn: cards for people, or the updates as lines of JSON.
import {
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk'
import { askPerson } from './ask.ts'
import { questionOf } from './draw/card.ts'
import { canvasFor } from './draw/paint.ts'
import { block, close, draw, drawAsked, emptyTranscript, type Transcript } from './draw/transcript.ts'
import type { Host } from './host.ts'
import { createWaiting } from './waiting.ts'

export interface Show {
  update(update: SessionUpdate): void
  /** `cancel` ends the turn: the person answered with Ctrl-C or Escape. Rejects where nobody can be asked. */
  permission(
    request: RequestPermissionRequest,
    signal: AbortSignal,
    cancel: () => void,
  ): Promise<RequestPermissionResponse>
  /** Without a stop reason the turn failed. */
  end(stopReason: StopReason | undefined): void
}

/** Nobody can be asked: what the rules do not allow is not run, and stderr says what would allow it. */
export function jsonShow(host: Host): Show {
  const line = (value: object): void => void host.stdout.write(`${JSON.stringify(value)}\n`)
  return {
    update: line,
    permission: async (request) => refuse(host, request),
    end: (stopReason) => void (stopReason !== undefined && line({ stopReason })),
  }
}

/** Draws, and asks on the terminal; without one like `jsonShow`. */
export function textShow(host: Host): Show {
  const canvas = canvasFor(host.stdout, host.env)
  const waiting = createWaiting(host, canvas)
  let asking = false
  let transcript: Transcript = emptyTranscript
  const apply = ([next, text]: readonly [Transcript, string]): void => {
    waiting.over()
    transcript = next
    host.stdout.write(text)
  }
  const wait = (): void => {
    if (!asking && transcript.prose === undefined && transcript.open === undefined) waiting.begin()
  }
  wait()
  return {
    update(update) {
      apply(draw(canvas, transcript, update))
      wait()
    },
    async permission(request, signal, cancel) {
      apply(drawAsked(canvas, transcript, request.toolCall))
      if (!host.stdin.isTTY || !host.stdout.isTTY) return refuse(host, request)
      const call = transcript.calls.get(request.toolCall.toolCallId)
      const text = call ? questionOf(call) : ''
      asking = true
      const chosen = await askPerson(host, canvas, { text, options: request.options, signal })
      asking = false
      const option = chosen === undefined ? undefined : request.options[chosen]
      if (option === undefined) cancel()
      wait()
      return option === undefined ? CANCELLED : select(option.optionId)
    },
    end(stopReason) {
      apply(close(canvas, transcript))
      if (stopReason === undefined || stopReason === 'end_turn') return
      apply(block(canvas, transcript, [canvas.paint('warn', `! ${stopReason.replaceAll('_', ' ')}`)]))
    },
  }
}

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } }

function select(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } }
}

/** An error instead of an answer: a rejection would be the person's word, and nobody was asked. */
function refuse(host: Host, { toolCall }: RequestPermissionRequest): never {
  const title = toolCall.title ?? toolCall.toolCallId
  host.stderr.write(`deckhand: not allowed, because nobody can be asked: ${title} (see --allow)\n`)
  throw new RequestError(-32603, 'nobody can be asked')
}
