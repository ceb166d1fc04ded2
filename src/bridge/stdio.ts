// The transport: newline-delimited JSON over two Node streams. A broken pipe is a disconnect, not an error.
import { Readable, type Writable } from 'node:stream'
import type { ReadableStream as WebReadable } from 'node:stream/web'
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk'

export interface Wire {
  stream: Stream
  /** Calls `gone` once when the other side can no longer be reached. */
  onGone(gone: (reason: unknown) => void): void
}

/** Takes over both streams; lines end at 0x0A only, and characters cut between chunks are joined by the library. */
export function stdioWire(input: Readable, output: Writable): Wire {
  const listeners: ((reason: unknown) => void)[] = []
  const gone = (reason: unknown): void => {
    for (const listener of listeners.splice(0)) listener(reason)
  }
  output.on('error', gone)
  output.on('close', () => gone(new Error('output closed')))
  input.on('error', gone)
  const readable = Readable.toWeb(input) as WebReadable<Uint8Array> as ReadableStream<Uint8Array>
  return { stream: ndJsonStream(writer(output), readable), onGone: (listener) => listeners.push(listener) }
}

function writer(output: Writable): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        output.write(chunk, (error) => (error ? reject(error) : resolve()))
      }),
  })
}
