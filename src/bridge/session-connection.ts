// One open session on one connection: its events flow out, its turns run one at a time.
import type { StopReason } from '#session/event.ts'
import type { AgentSession, PromptInput } from '#agent/port.ts'
import { Outgoing, type ConnectOptions, type Notice } from './outgoing.ts'
import { Turns } from './turns.ts'

export type { Notice } from './outgoing.ts'

export interface SessionConnection {
  readonly session: AgentSession
  /**
   * Runs a turn; everything it showed is sent before this settles. Refused as busy while another runs, unless that
   * one is being cancelled: then it waits. Aborting `signal` cancels.
   */
  prompt(input: PromptInput, notices: readonly Notice[], signal: AbortSignal): Promise<StopReason>
  /** Cancels the running turn and those that wait; a no-op when idle. */
  cancel(): void
  /** Tells the person something at the next turn. */
  tell(notice: Notice): void
  /** Lets updates out: the answer that names the session is written. */
  release(): void
  /** Cancels, waits for the end of the turn and closes the session. */
  close(): Promise<void>
  /** Stops listening; the session itself stays as it is. */
  detach(): void
}

export function connectSession(options: ConnectOptions): SessionConnection {
  const { session } = options
  const outgoing = new Outgoing(options)
  const turns = new Turns(session, () => outgoing.flush())
  return {
    session,
    prompt: (input, notices, signal) => {
      outgoing.release()
      return turns.run(input, signal, () => {
        for (const notice of notices) outgoing.tell(notice)
      })
    },
    cancel: () => turns.cancel(),
    tell: (notice) => outgoing.tell(notice),
    release: () => outgoing.release(),
    close: async () => {
      turns.cancel()
      await session.close()
      await turns.idle()
      outgoing.detach()
    },
    detach: () => outgoing.detach(),
  }
}
