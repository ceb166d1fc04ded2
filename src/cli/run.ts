// `deckhand run`: one prompt without an editor. The same agent and bridge as in an editor, and a client in this process.
import { thrownMessage } from '#json/thrown.ts'
import { PassThrough, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ndJsonStream, type StopReason, type Stream } from '@agentclientprotocol/sdk'
import type { Flags } from '#config/configuration.ts'
import { loadConfiguration } from '#config/load.ts'
import { startAgent } from '#compose.ts'
import { runPrompt } from './client-session.ts'
import type { Host } from './host.ts'
import { onInterrupt } from './interrupts.ts'
import { createLog } from './log.ts'
import type { Log } from '#registry/types.ts'
import { jsonShow, type Show, textShow } from './run-show.ts'

export interface RunOptions {
  /** `-` reads it from stdin. */
  prompt: string
  json?: boolean
  flags: Flags
}

/** What a shell is told; 1 is an error, 2 are wrong arguments. */
export const EXIT_CODES: Readonly<Record<StopReason, number>> = {
  end_turn: 0,
  refusal: 3,
  max_tokens: 4,
  max_turn_requests: 5,
  cancelled: 130,
}

/** Resolves with the code of the stop reason, or 1 when the turn failed; what failed is on stderr. */
export async function run(host: Host, options: RunOptions): Promise<number> {
  const prompt = options.prompt === '-' ? await text(host.stdin) : options.prompt
  if (prompt.trim() === '') {
    host.stderr.write('deckhand: the prompt is empty; see deckhand run --help\n')
    return 2
  }
  const cancel = new AbortController()
  const end = (): void => cancel.abort()
  const uninterrupted = onInterrupt(end)
  host.stdout.once('error', end)
  const show = options.json ? jsonShow(host) : textShow(host)
  try {
    const stopReason = await turn(host, options.flags, prompt, show, cancel)
    show.end(stopReason)
    return EXIT_CODES[stopReason]
  } catch (error) {
    show.end(undefined)
    host.stderr.write(`deckhand: ${thrownMessage(error)}\n`)
    return 1
  } finally {
    uninterrupted()
    host.stdout.off('error', end)
  }
}

async function turn(
  host: Host,
  flags: Flags,
  prompt: string,
  show: Show,
  cancel: AbortController,
): Promise<StopReason> {
  const { env, version, cwd } = host
  const { log: logging, warnings } = await loadConfiguration({ env, cwd })
  for (const warning of warnings) host.stderr.write(`deckhand: ${warning}\n`)
  const input = new PassThrough()
  const output = new PassThrough()
  // What fails is told at the end, and warnings have been told; the log is for those who ask for it.
  const write = createLog({
    log: env['DECKHAND_LOG'] ? logging : { level: 'silent' },
    stderr: host.stderr,
    env,
  })
  const log: Log = (at, message, data) => (warnings.includes(message) ? undefined : write(at, message, data))
  const agent = await startAgent({ input, output, env, version, log, flags })
  try {
    return await runPrompt({
      stream: streamOf(input, output),
      version,
      cwd,
      prompt,
      signal: cancel.signal,
      onUpdate: (update) => show.update(update),
      onPermission: (request, signal) => show.permission(request, signal, () => cancel.abort()),
    })
  } finally {
    await agent.dispose()
  }
}

/** The client's end of the agent's streams. */
function streamOf(input: PassThrough, output: PassThrough): Stream {
  return ndJsonStream(Writable.toWeb(input), Readable.toWeb(output) as ReadableStream<Uint8Array>)
}
