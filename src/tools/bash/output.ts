// What a command's end looks like: to the model as text, to the card as meta.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import type { TerminalResultView } from '#registry/view.ts'
import { INLINE_OUTPUT, keepOutput } from '#workspace/kept-output.ts'
import type { ShellResult } from '#workspace/command.ts'

/** Room behind the output for the marker and the status. */
const STATUS_ROOM = 1_024
const INLINE_BYTES = INLINE_OUTPUT.head + INLINE_OUTPUT.tail + STATUS_ROOM

export type Ending = Omit<ShellResult, 'aborted' | 'omitted'> & { truncated: boolean }

/** The output, then what else there is to know, and the status. `workdir`: as the call named one. */
export function endingText(ending: Ending, timeoutMs: number, workdir?: string): string {
  const output = ending.output.replace(/\n+$/, '')
  const file = ending.outputFile === undefined ? [] : [`[all of the output is in ${ending.outputFile}]`]
  const left = ending.leftBehind === 0 ? [] : [`[${leftBehindText(ending.leftBehind)}]`]
  const place = workdir === undefined ? [] : [`[ran in ${workdir}]`]
  const status = [...file, ...left, ...place, `[${statusOf(ending, timeoutMs)}]`].join('\n')
  return `${output === '' ? '(no output)' : output}\n\n${status}`
}

function leftBehindText(count: number): string {
  const what = count === 1 ? '1 process' : `${count} processes`
  return `${what} left in the background ${count === 1 ? 'was' : 'were'} ended; run_in_background keeps a command running`
}

/** How it ended, in a few words. */
export function statusOf(
  { exitCode, signal, timedOut }: Pick<Ending, 'exitCode' | 'signal' | 'timedOut'>,
  timeoutMs: number | undefined,
): string {
  const end = signal === null ? `exit code ${exitCode ?? 'unknown'}` : `killed by ${signal}`
  if (!timedOut) return end
  return timeoutMs === undefined ? `timed out; ${end}` : `timed out after ${seconds(timeoutMs)}; ${end}`
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`
}

/** What the card is drawn from, also when the call failed. */
export function endingMeta(ending: Ending, timeoutMs: number, aborted = false): JsonObject {
  const { exitCode, signal, timedOut, output, truncated, leftBehind } = ending
  const notes = [
    ...(timedOut ? [`timed out after ${seconds(timeoutMs)}`] : []),
    ...(aborted ? ['cancelled'] : []),
    ...(truncated ? ['output cut'] : []),
    ...(leftBehind > 0 ? [`background processes ended: ${leftBehind}`] : []),
  ]
  return {
    output,
    ...(signal === null ? exitCode !== null && { exitCode } : { signal }),
    ...(notes.length > 0 && { note: notes.join('; ') }),
    rawOutput: { exitCode, signal, timedOut, truncated },
  }
}

/** `undefined` where the stored meta tells of no ended command. */
export function terminalView(meta: JsonValue | undefined): TerminalResultView | undefined {
  if (!isJsonObject(meta) || typeof meta['output'] !== 'string') return undefined
  const { output, exitCode, signal, note } = meta
  return {
    card: 'terminal',
    output,
    ...(typeof signal === 'string' ? { signal } : typeof exitCode === 'number' && { exitCode }),
    ...(typeof note === 'string' && { note }),
  }
}

/** Text blocks cut to head and tail, whoever made them; `undefined` when all are short enough. */
export function capContent(content: readonly ContentBlock[]): ContentBlock[] | undefined {
  const isLong = (block: ContentBlock): boolean =>
    block.type === 'text' && Buffer.byteLength(block.text) > INLINE_BYTES
  if (!content.some(isLong)) return undefined
  return content.map((block) =>
    block.type === 'text' && isLong(block) ? { ...block, text: keepOutput(block.text).text } : block,
  )
}
