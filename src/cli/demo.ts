// `deckhand demo`: a whole editor session in the terminal, with a real client, a real agent process and a scripted model.
import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  StopReason,
} from '@agentclientprotocol/sdk'
import { launchAgent, type AgentProcess } from './agent-process.ts'
import { answerYes, askPerson } from './ask.ts'
import { runPrompt } from './client-session.ts'
import { endingRows, type End } from './demo-end.ts'
import { questionOf } from './draw/card.ts'
import { bottom, rows, top } from './draw/frame.ts'
import { canvasFor, type Canvas } from './draw/paint.ts'
import { block, draw, drawAsked, emptyTranscript, type Transcript } from './draw/transcript.ts'
import { wrap } from './draw/text.ts'
import type { Host } from './host.ts'
import { SIGNALS } from './interrupts.ts'
import { copySample, type Sample } from './sample.ts'

const PROMPT = 'A test of this little shopping cart fails. Find out why, and fix it.'
/** How long a question stands before --yes answers it on a terminal, in milliseconds. */
const PAUSE_MS = 700

/** Resolves with 130 when it was cancelled, 0 when the tests pass or the person rejected something, else 1. */
export async function demo(host: Host, options: { yes?: boolean; keep?: boolean }): Promise<number> {
  const cancel = new AbortController()
  const onInterrupt = (): void => cancel.abort()
  for (const signal of SIGNALS) process.on(signal, onInterrupt)
  host.stdout.on('error', onInterrupt)
  try {
    return await withSample(host, options, cancel)
  } finally {
    for (const signal of SIGNALS) process.off(signal, onInterrupt)
    host.stdout.off('error', onInterrupt)
  }
}

async function withSample(
  host: Host,
  options: { yes?: boolean; keep?: boolean },
  cancel: AbortController,
): Promise<number> {
  const sample = await copySample(host.root)
  const nobody = !host.stdin.isTTY || !host.stdout.isTTY
  const show = new Show(host, options.yes ? 'yes' : nobody ? 'nobody' : 'person')
  try {
    // Colours that were forced for this terminal are no business of the commands that the agent runs.
    const { FORCE_COLOR: _forced, ...inherited } = host.env
    const env = { ...inherited, DECKHAND_MODEL: 'scripted/demo', DECKHAND_HOME: sample.home }
    const agent = launchAgent({ root: host.root, cwd: sample.project, env })
    show.opening(sample, agent.pid)
    const stopReason = await session(agent, show.session(agent.stream, sample, cancel))
    const pass = stopReason === 'cancelled' ? undefined : await sample.testsPass()
    const kept = options.keep ? sample.project : undefined
    return show.ending(cancel.signal.aborted ? { kept } : { stopReason, pass, kept })
  } finally {
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

/** Who answers: the person, the option --yes, or the demo itself, because nobody can be asked on this input. */
type Answers = 'person' | 'yes' | 'nobody'

/** What is on the screen, and what the person said. */
class Show {
  readonly #host: Host
  readonly #canvas: Canvas
  readonly #answers: Answers
  #transcript: Transcript = emptyTranscript
  #rejected = 0

  constructor(host: Host, answers: Answers) {
    this.#host = host
    this.#canvas = canvasFor(host.stdout, host.env)
    this.#answers = answers
  }

  opening(sample: Sample, pid: number | undefined): void {
    const { paint, width } = this.#canvas
    const say = (text: string): void => {
      for (const line of wrap(text, width - 2)) this.#write(`  ${paint('dim', line)}\n`)
    }
    this.#write(
      `\n${paint('accent', '◆')} ${paint('strong', 'Deckhand')} ${paint('dim', this.#host.version)}\n`,
    )
    say(`An editor session: ACP client here, agent in process ${pid ?? '?'}, scripted model.`)
    say(`The project is a copy in ${sample.project}`)
    if (this.#answers === 'nobody') say('Nobody can be asked on this input: the demo answers itself.')
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

  ending(end: End): number {
    const { kept } = end
    const lines = [
      top(this.#canvas, { icon: '◆', text: 'Done', tag: (end.stopReason ?? 'cancelled').replace('_', ' ') }),
      ...endingRows(this.#canvas, end, this.#rejected),
      ...(kept === undefined ? [] : rows(this.#canvas, `The project is in ${kept}`, 'dim')),
      bottom(this.#canvas),
    ]
    this.#apply(block(this.#canvas, this.#transcript, lines))
    if (end.pass === undefined) return 130
    return end.pass || this.#rejected > 0 ? 0 : 1
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
      text: call ? questionOf(call) : '',
      options,
      signal,
    }
    const pauseMs = this.#host.stdout.isTTY ? PAUSE_MS : 0
    const answered = this.#answers === 'yes' ? '✔ answered by --yes' : '✔ demo answers: nobody to ask'
    const chosen =
      this.#answers === 'person'
        ? await askPerson(this.#host, this.#canvas, asked)
        : await answerYes(this.#canvas, asked, (text) => this.#write(text), { pauseMs, answered })
    const option = chosen === undefined ? undefined : options[chosen]
    if (!option) cancel.abort()
    else if (!option.kind.startsWith('allow')) this.#rejected++
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
