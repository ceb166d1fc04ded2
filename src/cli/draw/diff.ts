// The diff card: hunks with line numbers, removed above added.
import type { Diff, ToolCallLocation } from '@agentclientprotocol/sdk'
import { diffGroups, type DiffLine } from './diff-lines.ts'
import { bottom, cut, parts, row, top } from './frame.ts'
import type { Canvas, Style } from './paint.ts'
import { wrap } from './text.ts'

export interface DiffCard {
  title: string
  diffs: readonly Diff[]
  /** A location with a line says where in the file a hunk's first change is. */
  locations: readonly ToolCallLocation[]
  /** What stands in the lower edge, and in which colour. */
  status: string
  statusStyle: Style
  /** Somebody decides about it: nothing is left out. */
  whole?: boolean
}

const MAX_LINES = 60
const STYLES = { ' ': 'plain', '+': 'added', '-': 'removed' } as const

export function diffCard(canvas: Canvas, card: DiffCard): string[] {
  const groups = card.diffs.flatMap((diff) => diffGroups(diff, startsOf(card, diff)))
  const all = groups.flat()
  const digits = Math.max(...all.map((line) => String(line.number ?? '').length), 1)
  const body = groups.flatMap((lines, index) => [
    ...(index > 0 ? [row(canvas, '⋯', 'dim')] : []),
    ...lines.flatMap((line) => drawn(canvas, line, digits)),
  ])
  const tag = `+${count(all, '+')} −${count(all, '-')}`
  return [
    top(canvas, { icon: '±', text: card.title, tag }),
    ...(card.whole ? body : cut(canvas, body, MAX_LINES)),
    bottom(canvas, card.status, card.statusStyle),
  ]
}

function startsOf(card: DiffCard, diff: Diff): number[] {
  return card.locations.flatMap(({ path, line }) =>
    path === diff.path && typeof line === 'number' ? [line] : [],
  )
}

function count(lines: readonly DiffLine[], mark: string): number {
  return lines.filter((line) => line.mark === mark).length
}

/** The whole line: what is too long goes on in rows without a number. */
function drawn(canvas: Canvas, { mark, number, text }: DiffLine, digits: number): string[] {
  const pieces = wrap(text, canvas.width - 4 - digits - 4)
  return pieces.map((piece, index) =>
    parts(canvas, [
      ['dim', `${String((index === 0 ? number : undefined) ?? '').padStart(digits)} `],
      [STYLES[mark], ` ${index === 0 ? mark : '↳'} ${piece}`],
    ]),
  )
}
