// What a server said last on stderr.
import { reasonLine } from './reason-line.ts'

/** Bytes. */
const KEPT = 64 * 1024

export class StderrTail {
  #chunks: Buffer[] = []
  #bytes = 0

  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > KEPT * 2) this.#cut()
  }

  text(): string {
    this.#cut()
    return Buffer.concat(this.#chunks)
      .toString('utf8')
      .replace(/^\uFFFD+/, '')
  }

  /** The line that says most of why it ended, at most 300 characters; empty when there is none. */
  reason(): string {
    return reasonLine(this.text()).slice(0, 300)
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks)
    const kept = all.subarray(Math.max(0, all.length - KEPT))
    this.#chunks = kept.length === 0 ? [] : [Buffer.from(kept)]
    this.#bytes = kept.length
  }
}
