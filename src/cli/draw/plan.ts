// The plan card, and the line that says how far a known plan is.
import type { PlanEntry, PlanEntryStatus } from '@agentclientprotocol/sdk'
import { bottom, parts, top } from './frame.ts'
import type { Canvas, Style } from './paint.ts'
import { clean, clip } from './text.ts'

const MARKS: Record<PlanEntryStatus, readonly [mark: string, markStyle: Style, textStyle: Style]> = {
  pending: ['○', 'dim', 'dim'],
  in_progress: ['▸', 'warn', 'strong'],
  completed: ['✔', 'good', 'plain'],
}

export function planCard(canvas: Canvas, entries: readonly PlanEntry[]): string[] {
  const rows = entries.map((entry) => {
    const [mark, markStyle, textStyle] = MARKS[entry.status]
    return parts(canvas, [
      [markStyle, `${mark} `],
      [textStyle, clean(entry.content)],
    ])
  })
  return [top(canvas, { icon: '≡', text: 'Plan', tag: progress(entries) }), ...rows, bottom(canvas)]
}

/** The same plan further on, in one line: how far it is, and what is under way. */
export function planLine({ width, paint }: Canvas, entries: readonly PlanEntry[]): string {
  const current = entries.find((entry) => entry.status === 'in_progress')
  const [mark, style] = MARKS[current?.status ?? 'completed']
  const text = clip(clean(current?.content ?? 'all done'), width - 20)
  return `${paint('accent', '≡')} ${paint('strong', 'Plan')} ${paint('dim', progress(entries))}  ${paint(style, mark)} ${text}`
}

function progress(entries: readonly PlanEntry[]): string {
  return `${entries.filter((entry) => entry.status === 'completed').length} of ${entries.length}`
}
