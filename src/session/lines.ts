// The lines of a file in batches, as they come from the disk.
import { createReadStream } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'

/** Bytes at a time: some thousand short lines. */
const CHUNK = 256 * 1024

/**
 * Splits at 0x0A only. The last batch holds one line, what stands behind the last newline: '' in a file that ends with
 * one. Rejects as `fs.createReadStream` does.
 */
export async function* linesOf(path: string): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
    const text = decoder.write(chunk as Buffer)
    const end = text.lastIndexOf('\n')
    if (end === -1) rest += text
    else {
      yield (rest + text.slice(0, end)).split('\n')
      rest = text.slice(end + 1)
    }
  }
  yield [rest + decoder.end()]
}
