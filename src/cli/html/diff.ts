// A diff as a page shows it: hunks with both line numbers, code highlighted.
import { structuredPatch } from 'diff'
import { langOf, type Highlight } from './highlight.ts'
import { html, join, NOTHING, type Html } from './safe.ts'

export interface Diff {
  path: string
  oldText?: string | null
  newText: string
}

const MAX_EDITS = 4000

export async function drawDiff(highlight: Highlight, diff: Diff, shortPath: string): Promise<Html> {
  const { oldText, newText, path } = diff
  const lang = langOf(path)
  const [before, after] = await Promise.all([
    highlight.lines(oldText ?? '', lang),
    highlight.lines(newText, lang),
  ])
  const patch = structuredPatch('', '', oldText ?? '', newText, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_EDITS,
  })
  const hunks = patch?.hunks ?? []
  const rows = hunks.flatMap((hunk, index) => [
    ...(index > 0
      ? [
          html`<tr class="gap">
            <td colspan="3">⋯</td>
          </tr>`,
        ]
      : []),
    ...rowsOf(hunk, before, after),
  ])
  const added = hunks.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith('+')).length
  const removed = hunks.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith('-')).length
  const created = oldText == null ? html`<span class="tag">new file</span>` : NOTHING
  return html`<figure class="diff">
    <figcaption>
      <code>${shortPath}</code>${created}<span class="plus">+${added}</span
      ><span class="minus">−${removed}</span>
    </figcaption>
    <div class="scroll" tabindex="0">
      <table>
        ${join(rows)}
      </table>
    </div>
  </figure>`
}

interface Hunk {
  oldStart: number
  newStart: number
  lines: string[]
}

function rowsOf(hunk: Hunk, before: readonly Html[], after: readonly Html[]): Html[] {
  let [left, right] = [hunk.oldStart, hunk.newStart]
  return hunk.lines.flatMap((line) => {
    if (line.startsWith('\\')) return []
    if (line.startsWith('-')) return [row('del', '−', left++, before)]
    const number = right++
    if (line.startsWith('+')) return [row('add', '+', number, after)]
    left++
    return [row('', '', number, after)]
  })
}

function row(kind: string, sign: string, number: number, lines: readonly Html[]): Html {
  const code = lines[number - 1] ?? NOTHING
  return html`<tr class="${kind}">
    <td class="num">${number}</td>
    <td class="sign">${sign}</td>
    <td class="line">${code}</td>
  </tr>`
}
