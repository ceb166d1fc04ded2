// A line that says that something goes on, while nothing is drawn: the last on the screen, gone before the next word.
import type { Canvas } from './draw/paint.ts'
import type { Host } from './host.ts'

/** Milliseconds; what comes sooner needs no such line. */
const PATIENCE = 1500

export interface Waiting {
  /** The screen stands at the beginning of an empty line, and nothing is to be drawn for now. */
  begin(): void
  /** Something is about to be drawn. */
  over(): void
}

/** Draws nothing where the stream is no terminal, or one that can't take a line back. */
export function createWaiting({ stdout, env }: Host, { paint }: Canvas): Waiting {
  if (!stdout.isTTY || env['TERM'] === 'dumb') return { begin() {}, over() {} }
  let timer: NodeJS.Timeout | undefined
  let drawn = false
  const over = (): void => {
    clearTimeout(timer)
    if (drawn) stdout.write('\r\u001b[K')
    drawn = false
  }
  return {
    begin() {
      over()
      const since = Date.now()
      const draw = (): void => {
        const seconds = Math.round((Date.now() - since) / 1000)
        stdout.write(`\r\u001b[K${paint('dim', `⋯ ${seconds} s, Ctrl-C cancels`)}`)
        drawn = true
        timer = setTimeout(draw, 1000).unref()
      }
      timer = setTimeout(draw, PATIENCE).unref()
    },
    over,
  }
}
