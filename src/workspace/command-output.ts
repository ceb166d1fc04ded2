// The output of a running command: decoded, reported live, cleaned and kept.
import { TextDecoder } from 'node:util'
import { createOutputKeeper } from './kept-output.ts'
import { createTerminalText } from './terminal-text.ts'

export type OutputConsumer = (data: string) => void | Promise<void>

export interface CommandOutput {
  /** Reads to the end, or until closed; never rejects because of the stream. */
  read(stream: AsyncIterable<Uint8Array>): Promise<void>
  /** Whatever comes later is let go. */
  close(): void
  /** Milliseconds that the consumer took so far. */
  consumed(): number
  /** Clean text, and how many bytes of it are missing. Once, at the end. */
  result(): { output: string; omitted: number }
}

export function collectOutput(consumer: OutputConsumer = () => undefined): CommandOutput {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const cleaner = createTerminalText()
  const keeper = createOutputKeeper()
  const { consume, consumed } = clocked(consumer)
  let open = true
  const take = async (decoded: string): Promise<void> => {
    if (decoded === '') return
    const text = decoded.replaceAll('\0', '\uFFFD')
    keeper.push(cleaner.push(text))
    await consume(text)
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
    result() {
      keeper.push(cleaner.end())
      const { text, omitted } = keeper.result()
      return { output: text, omitted }
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

function clocked(consumer: OutputConsumer) {
  let spent = 0
  let since: number | undefined
  return {
    async consume(text: string): Promise<void> {
      since = performance.now()
      try {
        await consumer(text)
      } finally {
        spent += performance.now() - since
        since = undefined
      }
    },
    consumed: () => spent + (since === undefined ? 0 : performance.now() - since),
  }
}
