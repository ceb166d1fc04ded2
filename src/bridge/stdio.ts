// The transport: newline-delimited JSON over two Node streams. A broken pipe is a disconnect, not an error.
import { Readable, type Writable } from 'node:stream'
import type { ReadableStream as WebReadable } from 'node:stream/web'
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk'
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
  const writable = new WritableStream<Uint8Array>({
    write: (chunk) => joined.add(chunk),
    close: () => joined.flush(),
  })
  const lines = cutLongLines((limit) => log('warn', `a message of more than ${limit} bytes was not read`))
  const messages = ndJsonStream(writable, readable.pipeThrough(lines))
  const refused = refuseDeep(
    (answer) => void joined.add(Buffer.from(`${JSON.stringify(answer)}\n`)).catch(() => {}),
  )
  return {
    stream: { readable: messages.readable.pipeThrough(refused), writable: messages.writable },
    onGone: (listener) => listeners.push(listener),
    flush: () => joined.flush(),
  }
}

/** Bytes beyond which a message waits until those before it have left. */
const FULL = 64 * 1024

/** Messages of one moment leave in one write: a write for each would cost more than making them. */
class JoinedWrites {
  readonly #output: Writable
  #waiting: Uint8Array[] = []
  #size = 0
  #writing = false
  #scheduled = false
  #failure: unknown
  #whenRoom: PromiseWithResolvers<void> | undefined

  constructor(output: Writable) {
    this.#output = output
  }

  /** Settles when there is room for the next; rejects when the other side is gone. */
  async add(chunk: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    this.#waiting.push(chunk)
    this.#size += chunk.length
    if (!this.#scheduled && !this.#writing) {
      this.#scheduled = true
      process.nextTick(() => this.#write())
    }
    if (this.#size < FULL) return
    this.#whenRoom ??= Promise.withResolvers<void>()
    await this.#whenRoom.promise
  }

  flush(): void {
    this.#writing = false
    this.#write()
  }

  #write(): void {
    this.#scheduled = false
    if (this.#writing || this.#waiting.length === 0) return
    const bytes = this.#waiting.length === 1 ? this.#waiting[0] : Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#size = 0
    this.#writing = true
    this.#output.write(bytes, (error) => this.#written(error))
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
