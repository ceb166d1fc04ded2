// Asks on a terminal that can't move its cursor: a letter and enter, nothing is drawn twice.
import { createInterface } from 'node:readline'
import type { Asked } from './ask.ts'
import type { Canvas } from './draw/paint.ts'
import { keysOf, optionForKey, permissionCard } from './draw/permission.ts'
import type { Host } from './host.ts'
import { typedEarly } from './typed-early.ts'

/** Resolves with the index of the option, or undefined when the input ends and when the question is retracted. */
export async function askByLine(host: Host, canvas: Canvas, asked: Asked): Promise<number | undefined> {
  const { stdin, stdout } = host
  await typedEarly(stdin)
  const hint = `${keysOf(asked.options)}, then enter`
  stdout.write(`\n${permissionCard(canvas, { ...asked, chosen: -1, hint }).join('\n')}\n> `)
  const lines = createInterface({ input: stdin, terminal: false })
  const answer = await new Promise<number | undefined>((resolve) => {
    const cancel = (): void => resolve(undefined)
    lines.on('line', (line) => {
      const option = optionForKey(asked.options, line.trim().slice(0, 1).toLowerCase())
      if (option >= 0) resolve(option)
      else stdout.write(`${hint}\n> `)
    })
    lines.on('close', cancel)
    stdin.on('error', cancel)
    asked.signal.addEventListener('abort', cancel, { once: true })
    if (asked.signal.aborted || stdin.readableEnded || stdin.destroyed) cancel()
  })
  lines.close()
  stdin.pause()
  if (answer === undefined) stdout.write('\ncancelled\n')
  return answer
}
