// The transport: newline-delimited JSON over two Node streams. A broken pipe is a disconnect, not an error.
import { Readable, type Writable } from 'node:stream'
import type { ReadableStream as WebReadable } from 'node:stream/web'
import { type AnyMessage, ndJsonStream, type Stream } from '@agentclientprotocol/sdk'
import type { Log } from '#registry/types.ts'
import { cutLongLines, refuseDeep } from './incoming.ts'

export interface Wire {
  stream: Stream
  /** Calls `gone` once when the other side can no longer be reached. */
  onGone(gone: (reason: unknown) => void): void
  /** Hands over what still waits to be joined. */
  flush(): void
}

/** Takes over both streams; lines end at 0x0A only, and characters cut between chunks are joined by the library. */
export function stdioWire(input: Readable, output: Writable, log: Log): Wire {
  const listeners: ((reason: unknown) => void)[] = []
  const gone = (reason: unknown): void => {
    for (const listener of listeners.splice(0)) listener(reason)
  }
  output.on('error', gone)
  output.on('close', () => gone(new Error('output closed')))
  input.on('error', gone)
  const readable = Readable.toWeb(input) as WebReadable<Uint8Array> as ReadableStream<Uint8Array>
  const joined = new JoinedWrites(output)
  // What the library answers by itself to lines that are no messages.
  const answers = new WritableStream<Uint8Array>({
    write: (bytes) => joined.add(Buffer.from(bytes).toString()),
  })
  const writable = messagesTo(joined)
  const lines = cutLongLines((limit) => log('warn', `a message of more than ${limit} bytes was not read`))
  const messages = ndJsonStream(answers, readable.pipeThrough(lines))
  const refused = refuseDeep((answer) => void joined.add(`${JSON.stringify(answer)}\n`).catch(() => {}))
  return {
    stream: { readable: messages.readable.pipeThrough(refused), writable },
    onGone: (listener) => listeners.push(listener),
    flush: () => joined.flush(),
  }
}

/**
 * What the library asks of a stream that it writes to: a writer for each message. A real one, with its locks and queues,
 * takes longer than making the message.
 */
function messagesTo(joined: JoinedWrites): WritableStream<AnyMessage> {
  const writer = {
    write: (message: AnyMessage) => joined.add(`${JSON.stringify(message)}\n`),
    releaseLock: () => {},
  }
  return { getWriter: () => writer } as WritableStream<AnyMessage>
}

/** Characters beyond which a message waits until those before it have left. */
const FULL = 64 * 1024

/** Messages of one moment leave in one write: a write for each would cost more than making them. */
class JoinedWrites {
  readonly #output: Writable
  #waiting = ''
  #writing = false
  #scheduled = false
  #failure: unknown
  #whenRoom: PromiseWithResolvers<void> | undefined

  constructor(output: Writable) {
    this.#output = output
  }

  /** Settles when there is room for the next; rejects when the other side is gone. */
  async add(text: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    this.#waiting += text
    if (!this.#scheduled && !this.#writing) {
      this.#scheduled = true
      process.nextTick(() => this.#write())
    }
    if (this.#waiting.length < FULL) return
    this.#whenRoom ??= Promise.withResolvers<void>()
    await this.#whenRoom.promise
  }

  flush(): void {
    this.#writing = false
    this.#write()
  }

  #write(): void {
    this.#scheduled = false
    if (this.#writing || this.#waiting === '') return
    const text = this.#waiting
    this.#waiting = ''
    this.#writing = true
    this.#output.write(text, (error) => this.#written(error))
  }

  #written(error: Error | null | undefined): void {
    this.#writing = false
    const room = this.#whenRoom
    this.#whenRoom = undefined
    if (error) {
      this.#failure = error
      room?.reject(error)
      return
    }
    room?.resolve()
    this.#write()
  }
}
