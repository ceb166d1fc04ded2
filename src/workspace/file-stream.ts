// A file's bytes in pieces: two buffers in turn, one being filled while the other is looked at.
import { open, type FileHandle } from 'node:fs/promises'

/** Bytes. */
const PIECE = 1024 * 1024
const SMALLEST = 4096

/** A piece is valid until the next one is asked for. */
export async function* streamFile(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const file = await open(path)
  let filling: Promise<{ bytesRead: number }> | undefined
  try {
    const size = Math.max(SMALLEST, Math.min(PIECE, (await file.stat()).size + 1))
    let [current, next] = [Buffer.allocUnsafe(size), Buffer.allocUnsafe(size)]
    filling = fill(file, current)
    for (;;) {
      const { bytesRead } = await filling
      if (signal?.aborted) throw new StreamAbortedError(signal.reason)
      if (bytesRead === 0) return
      filling = fill(file, next)
      yield current.subarray(0, bytesRead)
      const full = next
      next = current
      current = full
    }
  } finally {
    await filling?.catch(() => undefined)
    await file.close()
  }
}

function fill(file: FileHandle, buffer: Buffer): Promise<{ bytesRead: number }> {
  const filling = file.read(buffer, 0, buffer.length, null)
  // Whoever awaits it gets the failure; nobody does when the stream is left early.
  filling.catch(() => undefined)
  return filling
}

class StreamAbortedError extends Error {
  override readonly name = 'AbortError'
  readonly code = 'ABORT_ERR'

  constructor(cause: unknown) {
    super('reading was cancelled', { cause })
  }
}
