// A terminal as a page shows it: colours kept, what was overwritten left out.
import type { Highlight } from './highlight.ts'
import { html, join, type Html } from './safe.ts'

const OTHER_SEQUENCES =
  /\u001b(?:\[[0-9;?]*[A-Za-ln-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()][A-Z0-9]|[=>78])/g

/** Only colours are kept of the control sequences; of a line that was written over, what stood there at the end. */
export function visible(output: string): string {
  return output
    .replaceAll(OTHER_SEQUENCES, '')
    .replaceAll(/\r+\n/g, '\n')
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
    .join('\n')
    .replace(/\n+$/, '')
}

export async function drawTerminal(
  highlight: Highlight,
  terminal: { output: string; exit?: unknown },
): Promise<Html> {
  const lines = await highlight.lines(visible(terminal.output), 'ansi')
  return html`<div class="term">
    <pre tabindex="0">${join(lines, '\n')}</pre>
    ${ending(terminal.exit)}
  </div>`
}

function ending(exit: unknown): Html {
  if (typeof exit !== 'object' || exit === null) return html`<p class="exit run">running</p>`
  const { exit_code: code, signal } = exit as { exit_code?: unknown; signal?: unknown }
  if (typeof signal === 'string') return html`<p class="exit bad">killed by ${signal}</p>`
  if (typeof code !== 'number') return html`<p class="exit bad">not finished</p>`
  return html`<p class="exit ${code === 0 ? 'good' : 'bad'}">exit ${code}</p>`
}
