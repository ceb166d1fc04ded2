// Asks for a line on a terminal that is not shown while it is typed; without a terminal, reads the first line of stdin.
import { text } from 'node:stream/consumers'
import type { Host } from './host.ts'

const ENTER = /[\r\n]/
const ERASE = /[\u007f\b]/
const CANCEL = /[\u0003\u0004\u001b]/

/** Resolves with what was typed, or undefined for Ctrl-C, Ctrl-D, Escape and an input that ends. */
export async function askSecret(host: Host, question: string): Promise<string | undefined> {
  const { stdin } = host
  if (!stdin.isTTY) return (await text(stdin)).split(ENTER)[0]?.trim() || undefined
  host.stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.resume()
  try {
    return await typed(stdin)
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    host.stderr.write('\n')
  }
}

function typed(stdin: NodeJS.ReadStream): Promise<string | undefined> {
  return new Promise((resolve) => {
    let line = ''
    const done = (answer: string | undefined): void => {
      stdin.off('data', onData)
      stdin.off('end', onEnd)
      resolve(answer)
    }
    const onEnd = (): void => done(undefined)
    const onData = (chunk: Buffer | string): void => {
      // Terminals put marks around what is pasted.
      for (const letter of String(chunk).replaceAll(/\u001b\[20[01]~/g, '')) {
        if (CANCEL.test(letter)) return done(undefined)
        if (ENTER.test(letter)) return done(line.trim() || undefined)
        line = ERASE.test(letter) ? line.slice(0, -1) : line + letter
      }
    }
    stdin.on('data', onData)
    stdin.once('end', onEnd)
  })
}
