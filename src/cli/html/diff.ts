// A diff as a page shows it: hunks with both line numbers, code highlighted.
import type { StructuredPatchHunk } from 'diff'
import { countLines, hunksBetween, wholeChange } from '#bridge/cards/patch.ts'
import { langOf, type Highlight } from './highlight.ts'
import { html, join, NOTHING, type Html } from './safe.ts'

export interface Diff {
  path: string
  oldText?: string | null
  newText: string
}

export async function drawDiff(highlight: Highlight, diff: Diff, shortPath: string): Promise<Html> {
  const { oldText, newText, path } = diff
  const lang = langOf(path)
  const [before, after] = await Promise.all([
    highlight.lines(oldText ?? '', lang),
    highlight.lines(newText, lang),
  ])
  const hunks = hunksBetween(oldText ?? '', newText) ?? [wholeChange(oldText ?? '', newText)]
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
  const [added, removed] = [countLines(hunks, '+'), countLines(hunks, '-')]
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

function rowsOf(hunk: StructuredPatchHunk, before: readonly Html[], after: readonly Html[]): Html[] {
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
