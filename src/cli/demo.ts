// `deckhand demo`: a whole editor session in the terminal, with a real client, a real agent process and a scripted model.
import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  StopReason,
} from '@agentclientprotocol/sdk'
import { launchAgent, type AgentProcess } from './agent-process.ts'
import { answerYes, askPerson } from './ask.ts'
import { runPrompt } from './client-session.ts'
import { bottom, parts, row, top } from './draw/frame.ts'
import { canvasFor, type Canvas } from './draw/paint.ts'
import { block, draw, drawAsked, emptyTranscript, type Transcript } from './draw/transcript.ts'
import { clip } from './draw/text.ts'
import type { Host } from './host.ts'
import { copySample, type Sample } from './sample.ts'

const PROMPT = 'A test of this little shopping cart fails. Find out why, and fix it.'
/** How long a question stands before --yes answers it on a terminal, in milliseconds. */
const PAUSE_MS = 700

/** Resolves with 0 when the session ran to its end and, unless the person rejected something, the tests pass. */
export async function demo(host: Host, options: { yes?: boolean; keep?: boolean }): Promise<number> {
  const sample = await copySample(host.root)
  const show = new Show(host, options.yes === true || !host.stdin.isTTY || !host.stdout.isTTY)
  const cancel = new AbortController()
  const onInterrupt = (): void => cancel.abort()
  process.once('SIGINT', onInterrupt)
  host.stdout.once('error', onInterrupt)
  try {
    // Colours that were forced for this terminal are no business of the commands that the agent runs.
    const { FORCE_COLOR: _forced, ...inherited } = host.env
    const env = { ...inherited, DECKHAND_MODEL: 'scripted/demo', DECKHAND_HOME: sample.home }
    const agent = launchAgent({ root: host.root, cwd: sample.project, env })
    show.opening(sample, agent.pid)
    const stopReason = await session(agent, show.session(agent.stream, sample, cancel))
    return show.ending(stopReason, await sample.testsPass(), options.keep ? sample.project : undefined)
  } finally {
    process.off('SIGINT', onInterrupt)
    host.stdout.off('error', onInterrupt)
    if (!options.keep) await sample.remove()
  }
}

async function session(agent: AgentProcess, turn: Promise<StopReason>): Promise<StopReason> {
  try {
    return await Promise.race([turn, agent.failed])
  } finally {
    await agent.end()
  }
}

/** What is on the screen, and what the person said. */
class Show {
  readonly #host: Host
  readonly #canvas: Canvas
  readonly #automatic: boolean
  #transcript: Transcript = emptyTranscript
  #rejected = false

  constructor(host: Host, automatic: boolean) {
    this.#host = host
    this.#canvas = canvasFor(host.stdout, host.env)
    this.#automatic = automatic
  }

  opening(sample: Sample, pid: number | undefined): void {
    const { paint, width } = this.#canvas
    const say = (text: string): void => this.#write(`  ${paint('dim', clip(text, width - 2))}\n`)
    this.#write(
      `\n${paint('accent', '◆')} ${paint('strong', 'Deckhand')} ${paint('dim', this.#host.version)}\n`,
    )
    say(`An editor session: ACP client here, agent in process ${pid ?? '?'}, scripted model.`)
    say(`The project is a copy in ${sample.project}`)
  }

  async session(
    stream: Parameters<typeof runPrompt>[0]['stream'],
    sample: Sample,
    cancel: AbortController,
  ): Promise<StopReason> {
    this.#apply(
      draw(this.#canvas, this.#transcript, {
        sessionUpdate: 'user_message_chunk',
        content: { type: 'text', text: PROMPT },
      }),
    )
    return runPrompt({
      stream,
      version: this.#host.version,
      cwd: sample.project,
      prompt: PROMPT,
      signal: cancel.signal,
      onUpdate: (update) => this.#apply(draw(this.#canvas, this.#transcript, update)),
      onPermission: (request, signal) => this.#permission(request, signal, cancel),
    })
  }

  ending(stopReason: StopReason, pass: boolean, kept: string | undefined): number {
    const result: [string, 'good' | 'bad' | 'warn'] = pass
      ? ["✔ The sample's tests pass", 'good']
      : [
          `✖ The sample's tests ${this.#rejected ? 'still fail: a step was rejected' : 'fail'}`,
          this.#rejected ? 'warn' : 'bad',
        ]
    const lines = [
      top(this.#canvas, { icon: '◆', text: 'Done', tag: stopReason.replace('_', ' ') }),
      parts(this.#canvas, [
        [result[1], result[0]],
        ['dim', ' · run once more by the demo itself: node --test'],
      ]),
      ...(kept ? [row(this.#canvas, `The project is in ${kept}`, 'dim')] : []),
      bottom(this.#canvas),
    ]
    this.#apply(block(this.#canvas, this.#transcript, lines))
    return pass || this.#rejected ? 0 : 1
  }

  async #permission(
    request: RequestPermissionRequest,
    signal: AbortSignal,
    cancel: AbortController,
  ): Promise<RequestPermissionResponse> {
    const { toolCall, options } = request
    this.#apply(drawAsked(this.#canvas, this.#transcript, toolCall))
    const call = this.#transcript.calls.get(toolCall.toolCallId)
    const asked = {
      text: call?.kind === 'execute' ? `$ ${call.title}` : (call?.title ?? ''),
      options,
      signal,
    }
    const pause = this.#host.stdout.isTTY ? PAUSE_MS : 0
    const chosen = this.#automatic
      ? await answerYes(this.#canvas, asked, (text) => this.#write(text), pause)
      : await askPerson(this.#host, this.#canvas, asked)
    const option = chosen === undefined ? undefined : options[chosen]
    if (!option) cancel.abort()
    if (!option?.kind.startsWith('allow')) this.#rejected = true
    return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } }
  }

  #apply([next, text]: readonly [Transcript, string]): void {
    this.#transcript = next
    this.#write(text)
  }

  #write(text: string): void {
    this.#host.stdout.write(text)
  }
}
