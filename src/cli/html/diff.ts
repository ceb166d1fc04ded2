// A diff as a page shows it: hunks with the line numbers of the file, code highlighted.
import type { StructuredPatchHunk } from 'diff'
import { changeHunks, countLines } from '#bridge/cards/patch.ts'
import { diffGroups } from '#cli/draw/diff-lines.ts'
import { langOf, type Highlight } from './highlight.ts'
import { html, join, NOTHING, type Html } from './safe.ts'

export interface Diff {
  path: string
  oldText?: string | null
  newText: string
}

export interface DiffOptions {
  shortPath: string
  /** The lines of the file where changes begin, as the call's locations say: the texts may be parts of it. */
  starts: readonly number[]
}

export async function drawDiff(
  highlight: Highlight,
  diff: Diff,
  { shortPath, starts }: DiffOptions,
): Promise<Html> {
  const { oldText, newText, path } = diff
  const lang = langOf(path)
  const [before, after] = await Promise.all([
    highlight.lines(oldText ?? '', lang),
    highlight.lines(newText, lang),
  ])
  const hunks = changeHunks(oldText ?? '', newText)
  // Of every line that is shown, in order; none where nobody said where the hunks are.
  const numbers = diffGroups(diff, starts).flatMap((group) => group.map((line) => line.number))
  const rows = hunks.flatMap((hunk, index) => [
    ...(index > 0
      ? [
          html`<tr class="gap">
            <td colspan="3">⋯</td>
          </tr>`,
        ]
      : []),
    ...rowsOf(hunk, before, after, numbers),
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

/** Takes the numbers of its rows from the front of `numbers`. */
function rowsOf(
  hunk: StructuredPatchHunk,
  before: readonly Html[],
  after: readonly Html[],
  numbers: (number | undefined)[],
): Html[] {
  let [left, right] = [hunk.oldStart, hunk.newStart]
  return hunk.lines.flatMap((line) => {
    if (line.startsWith('\\')) return []
    const shown = numbers.shift()
    if (line.startsWith('-')) return [row('del', '−', shown, before[left++ - 1])]
    const code = after[right++ - 1]
    if (line.startsWith('+')) return [row('add', '+', shown, code)]
    left++
    return [row('', '', shown, code)]
  })
}

function row(kind: string, sign: string, number: number | undefined, code: Html = NOTHING): Html {
  return html`<tr class="${kind}">
    <td class="num">${number ?? ''}</td>
    <td class="sign">${sign}</td>
    <td class="line">${code}</td>
  </tr>`
}
