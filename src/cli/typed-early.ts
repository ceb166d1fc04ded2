// What a person typed before there was a question, taken out of the terminal.

/** A Ctrl-D that was typed before the question came, as the terminal hands it over. */
export const EARLY_END = '\u0000'
/** Ctrl-C, Ctrl-D. */
const END = ['\u0003', '\u0004', EARLY_END]

/** Milliseconds in which a terminal hands over what it already has. */
const HANDING_OVER = 30

/** Throws it away; `end` when one of the keys wanted out. */
export async function typedEarly(stdin: NodeJS.ReadStream): Promise<'end' | 'nothing'> {
  let typed = ''
  const onData = (chunk: Buffer | string): void => void (typed += String(chunk))
  stdin.on('data', onData)
  stdin.resume()
  await new Promise((resolve) => {
    setTimeout(resolve, HANDING_OVER)
  })
  stdin.off('data', onData)
  stdin.pause()
  return END.some((key) => typed.includes(key)) ? 'end' : 'nothing'
}
