// Asks the person: a permission card on the terminal, answered by arrow keys, letters or enter.
import type { PermissionOption } from '@agentclientprotocol/sdk'
import { emitKeypressEvents } from 'node:readline'
import { askByLine } from './ask-by-line.ts'
import type { Canvas } from './draw/paint.ts'
import { optionForKey, permissionCard } from './draw/permission.ts'
import { openly } from './draw/text.ts'
import { EARLY_END, typedEarly } from './typed-early.ts'
import type { Host } from './host.ts'

export interface Asked {
  text: string
  options: readonly PermissionOption[]
  /** Retracts the question. */
  signal: AbortSignal
}

/** Answers by itself with the first option that allows, after `pauseMs` for people who watch; `answered` says who answers. */
export async function answerYes(
  canvas: Canvas,
  asked: Asked,
  write: (text: string) => void,
  { pauseMs, answered }: { pauseMs: number; answered: string },
): Promise<number> {
  await new Promise((resolve) => {
    setTimeout(resolve, pauseMs)
  })
  const chosen = Math.max(
    0,
    asked.options.findIndex((option) => option.kind === 'allow_once'),
  )
  const card = permissionCard(canvas, { ...asked, chosen, answered })
  write(`\n${card.join('\n')}\n`)
  return chosen
}

/**
 * Waits for a key. Resolves with the index of the chosen option, or undefined for Ctrl-C, Ctrl-D, Escape, a terminal
 * that went away and a retracted question. What was typed before the question could be read does not answer it.
 */
export async function askPerson(host: Host, canvas: Canvas, asked: Asked): Promise<number | undefined> {
  const { stdin, stdout } = host
  if (host.env['TERM'] === 'dumb') return askByLine(host, canvas, asked)
  let chosen = 0
  let lines = permissionCard(canvas, { ...asked, chosen })
  const redraw = (answered?: string): void => {
    const height = lines.length
    lines = permissionCard(canvas, { ...asked, chosen, ...(answered !== undefined && { answered }) })
    stdout.write(`\u001b[${height}A\r\u001b[J${lines.join('\n')}\n`)
  }
  // Raw before the question can be seen: a key that is pressed at once is no key of the line discipline.
  stdin.setRawMode(true)
  const early = await typedEarly(stdin)
  stdout.write(`\n\u001b[?25l${lines.join('\n')}\n`)
  const press = (key: string): number | undefined => {
    const direct = optionForKey(asked.options, key)
    if (direct >= 0) chosen = direct
    if (key === 'down' || key === 'tab') chosen = (chosen + 1) % asked.options.length
    if (key === 'up') chosen = (chosen + asked.options.length - 1) % asked.options.length
    if (key === 'return' || direct >= 0) return chosen
    redraw()
    return undefined
  }
  const answer = await keys(stdin, early === 'end' ? { ...asked, signal: AbortSignal.abort() } : asked, press)
  redraw(
    answer === undefined
      ? '✖ cancelled'
      : `✔ ${openly(asked.options[answer]?.name ?? '').replaceAll('`', '')}`,
  )
  stdout.write('\u001b[?25h')
  return answer
}

function keys(
  stdin: NodeJS.ReadStream,
  asked: Asked,
  press: (key: string) => number | undefined,
): Promise<number | undefined> {
  emitKeypressEvents(stdin)
  // A terminal that hung up reports an error for whatever is asked of it, and stays silent for ever.
  const ends = ['end', 'close', 'error'] as const
  return new Promise((resolve) => {
    let over = false
    const done = (answer: number | undefined): void => {
      if (over) return
      over = true
      stdin.off('keypress', onKey)
      asked.signal.removeEventListener('abort', cancel)
      stdin.setRawMode(false)
      stdin.pause()
      for (const end of ends) stdin.off(end, cancel)
      resolve(answer)
    }
    const cancel = (): void => done(undefined)
    const onKey = (text: string | undefined, key: { name?: string; ctrl?: boolean }): void => {
      if (key.name === 'escape' || (key.ctrl && (key.name === 'c' || key.name === 'd'))) return cancel()
      if (text === EARLY_END) return cancel()
      const answer = press(key.name === 'enter' ? 'return' : (key.name ?? ''))
      if (answer !== undefined) done(answer)
    }
    stdin.on('keypress', onKey)
    for (const end of ends) stdin.on(end, cancel)
    asked.signal.addEventListener('abort', cancel, { once: true })
    stdin.resume()
    if (stdin.readableEnded || stdin.destroyed || asked.signal.aborted) cancel()
  })
}
