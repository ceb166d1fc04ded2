// The output of a running command: decoded, reported live, cleaned, kept, and spilled into a file when it is long.
import { TextDecoder } from 'node:util'
import { createOutputKeeper, INLINE_OUTPUT } from './kept-output.ts'
import type { OutputFile } from './output-files.ts'
import { createTerminalText } from './terminal-text.ts'

export interface OutputConsumer {
  /** Escapes kept, whole characters only. Awaited: a slow consumer slows the command. */
  onOutput?(data: string): void | Promise<void>
  /** Makes the file for all of the output, once that is too long to be kept whole. */
  openFile?(): Promise<OutputFile>
}

export interface CommandOutput {
  /** Reads to the end, or until closed; never rejects because of the stream. */
  read(stream: AsyncIterable<Uint8Array>): Promise<void>
  /** Whatever comes later is let go. */
  close(): void
  /** Milliseconds that the consumer took so far. */
  consumed(): number
  /** Clean text, how many bytes of it are missing, and the file that has them. Once, at the end. */
  result(): Promise<{ output: string; omitted: number; outputFile?: string }>
}

export function collectOutput({ onOutput, openFile }: OutputConsumer = {}): CommandOutput {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const cleaner = createTerminalText()
  const keeper = createOutputKeeper()
  const spill = createSpill(openFile)
  const { consume, consumed } = clocked(async (text: string, clean: string) => {
    await spill.push(clean)
    await onOutput?.(text)
  })
  let open = true
  const take = async (decoded: string): Promise<void> => {
    if (decoded === '') return
    const text = decoded.includes('\0') ? decoded.replaceAll('\0', '\uFFFD') : decoded
    const clean = cleaner.push(text)
    keeper.push(clean)
    await consume(text, clean)
  }
  return {
    async read(stream) {
      for await (const chunk of untilBroken(stream)) {
        if (!open) return
        await take(decoder.decode(chunk, { stream: true }))
      }
      if (open) await take(decoder.decode())
    },
    close() {
      open = false
    },
    consumed,
    async result() {
      const rest = cleaner.end()
      keeper.push(rest)
      await spill.push(rest)
      const outputFile = await spill.end()
      const { text, omitted } = keeper.result()
      return { output: text, omitted, ...(outputFile !== undefined && { outputFile }) }
    },
  }
}

/** Holds text back until it is too long to be kept whole; from then on all goes to a file. */
function createSpill(openFile: (() => Promise<OutputFile>) | undefined) {
  let held: string[] = []
  let bytes = 0
  let file: OutputFile | undefined
  let failed = openFile === undefined
  return {
    async push(text: string): Promise<void> {
      if (failed || text === '') return
      if (file) return file.write(text)
      held.push(text)
      bytes += Buffer.byteLength(text)
      if (bytes <= INLINE_OUTPUT.head + INLINE_OUTPUT.tail) return
      file = await openFile?.().catch(() => undefined)
      failed = file === undefined
      await file?.write(held.join(''))
      held = []
    },
    async end(): Promise<string | undefined> {
      await file?.close()
      return file?.path
    },
  }
}

/** A pipe that is dropped while somebody holds it ends with an error; here it just ends. */
async function* untilBroken(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch {
    // Dropped.
  }
}

function clocked(consumer: (text: string, clean: string) => Promise<void>) {
  let spent = 0
  let since: number | undefined
  return {
    async consume(text: string, clean: string): Promise<void> {
      since = performance.now()
      try {
        await consumer(text, clean)
      } finally {
        spent += performance.now() - since
        since = undefined
      }
    },
    consumed: () => spent + (since === undefined ? 0 : performance.now() - since),
  }
}
