// What a process writes, line by line: whole lines only, however the chunks fall.

/** A listener for `data`; what it makes of the lines of a chunk is done when it returns. */
export function byLine(take: (line: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      const line = rest.subarray(0, end).toString()
      rest = rest.subarray(end + 1)
      take(line)
    }
  }
}
