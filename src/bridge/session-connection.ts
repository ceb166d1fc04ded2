// One open session on one connection: its events flow out, its turns run one at a time.
import type { CommandCard, StopReason } from '#session/event.ts'
import type { AgentSession, PromptInput } from '#agent/port.ts'
import { unlessAborted } from '#agent/unless-aborted.ts'
import { textOf } from '#model/content.ts'
import { DONE, type Command, type CommandContext, type CommandOutcome } from '#bridge/commands/command.ts'
import { commandLine, commandsOf, findCommand, type CommandLine } from '#bridge/commands/index.ts'
import { confirm } from '#bridge/permission/confirm.ts'
import { Outgoing, type ConnectOptions, type Notice } from './outgoing.ts'
import { linkServers } from './servers.ts'
import { Turns, type TurnWork } from './turns.ts'

export type { Notice } from './outgoing.ts'

export interface SessionConnection {
  readonly session: AgentSession
  /** A turn runs, or waits to. */
  readonly busy: boolean
  /**
   * Runs a turn, or the command that the prompt begins with; everything it showed is sent before this settles.
   * Refused as busy while another runs, unless that one is being cancelled: then it waits. Aborting `signal` cancels.
   */
  prompt(input: PromptInput, notices: readonly Notice[], signal: AbortSignal): Promise<StopReason>
  /** Cancels the running turn and those that wait; a no-op when idle. */
  cancel(): void
  /** Tells the person something at the next turn. */
  tell(notice: Notice): void
  /** Lets updates out: the answer that names the session is written. */
  release(): void
  /** Tells the client which commands there are. Never rejects. */
  advertise(): Promise<void>
  /** Cancels, waits for the end of the turn and closes the session. */
  close(): Promise<void>
  /** Stops listening; the session itself stays as it is. */
  detach(): void
}

export function connectSession(options: ConnectOptions): SessionConnection {
  const { session, bridge } = options
  const outgoing = new Outgoing(options)
  const turns = new Turns(() => outgoing.flush())
  const detach = bridge.editor?.attach(session.id, options.client, options.profile)
  const link = linkServers(options, (update) => outgoing.send(update))
  const ends = (): void => {
    link.disconnect()
    outgoing.detach()
    detach?.()
  }
  return {
    session,
    get busy() {
      return turns.busy
    },
    prompt: (input, notices, signal) => {
      outgoing.release()
      return turns.run(signal, async (turnSignal) => {
        link.connect()
        for (const notice of notices) outgoing.tell(notice)
        const line = commandLine(input)
        if (!line) return playTurn(session, input, turnSignal)
        const command = await commandWork(options, outgoing, input, line, turnSignal)
        return command ? command(turnSignal) : playTurn(session, input, turnSignal)
      })
    },
    cancel: () => turns.cancel(),
    tell: (notice) => outgoing.tell(notice),
    release: () => outgoing.release(),
    advertise: () => link.advertise(),
    close: async () => {
      turns.cancel()
      await session.close()
      await turns.idle()
      ends()
    },
    detach: ends,
  }
}

async function playTurn(session: AgentSession, input: PromptInput, signal: AbortSignal): Promise<StopReason> {
  const stop = (): void => session.cancel()
  if (signal.aborted) return 'cancelled'
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await session.prompt(input)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** What the command at the beginning of a prompt does; undefined when there is no such command. */
async function commandWork(
  { session, bridge, client }: ConnectOptions,
  outgoing: Outgoing,
  input: PromptInput,
  line: CommandLine,
  starting: AbortSignal,
): Promise<TurnWork | undefined> {
  const look = async () => findCommand(line, input, await commandsOf(bridge, session))
  const found = (await look()) ?? (await lateCommand(session, look, starting))
  if (!found) return undefined
  return async (signal) => {
    const said: string[] = []
    const cards: CommandCard[] = []
    const ended = (card: CommandCard): void => void cards.push(card)
    const context: CommandContext = {
      session,
      argument: found.argument,
      commands: found.commands,
      problems: bridge.problems(),
      say: (text) => said.push(text),
      confirm: (question) => confirm({ session, client, outgoing, signal, log: bridge.log, ended }, question),
      signal,
    }
    const outcome = await runAndRecord(found.command, context, textOf(input.shown), said, cards)
    if (outcome.kind === 'done') return signal.aborted ? 'cancelled' : 'end_turn'
    const blocks =
      outcome.kind === 'content' ? outcome.content : [{ type: 'text' as const, text: outcome.text }]
    return playTurn(session, found.expand(blocks), signal)
  }
}

/** A server that is still starting may bring it. */
async function lateCommand<T>(
  { servers }: AgentSession,
  look: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  if (servers === undefined) return undefined
  await unlessAborted(servers.ready(), signal)
  return look()
}

/** Its answer, unless a turn goes on in its place, is logged with what the person wrote: a replay shows both. */
async function runAndRecord(
  command: Command,
  context: CommandContext,
  text: string,
  said: readonly string[],
  cards: CommandCard[],
): Promise<CommandOutcome> {
  let outcome: CommandOutcome = DONE
  try {
    return (outcome = await command.run(context))
  } finally {
    const output = said.join('\n\n')
    const shown = { output, ...(cards.length > 0 && { cards }) }
    if (outcome.kind === 'done') context.session.recordCommand({ text, ...shown })
    else if (output !== '' || cards.length > 0) context.session.recordCommand({ text: '', ...shown })
  }
}
