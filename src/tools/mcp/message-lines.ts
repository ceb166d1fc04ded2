// Lines of a byte stream, whole: characters may be cut anywhere between chunks, and a line may be long.

/** Bytes. A server that sends more in one message is ended. */
export const MAX_MESSAGE = 64 * 1024 * 1024

const NEWLINE = 0x0a

export class MessageLines {
  readonly #take: (line: string) => void
  #parts: Buffer[] = []
  #bytes = 0

  /** `take` gets each line that is not blank. */
  constructor(take: (line: string) => void) {
    this.#take = take
  }

  /** Throws when a line grows over the limit. */
  push(chunk: Buffer): void {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at))
      from = at + 1
      const line = Buffer.concat(this.#parts).toString('utf8').trim()
      this.#parts = []
      this.#bytes = 0
      if (line !== '') this.#take(line)
    }
    this.#keep(chunk.subarray(from))
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > MAX_MESSAGE) {
      this.#parts = []
      throw new Error(`sent a message of more than ${MAX_MESSAGE / 1024 / 1024} MiB`)
    }
    if (part.length > 0) this.#parts.push(part)
  }
}
