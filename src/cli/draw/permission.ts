// The permission prompt: what is asked, the options, which one is chosen.
import type { PermissionOption, PermissionOptionKind } from '@agentclientprotocol/sdk'
import { bottom, parts, row, top } from './frame.ts'
import type { Canvas, Style } from './paint.ts'
import { linesOf, openly, wrap } from './text.ts'

const KEYS: Record<PermissionOptionKind, string> = {
  allow_once: 'y',
  allow_always: 'a',
  reject_once: 'n',
  reject_always: 'd',
}

const edge = 'warn'

/** The keys of the options, as a hint names them. */
export function keysOf(options: readonly PermissionOption[]): string {
  return options.map(({ kind }) => KEYS[kind]).join(' / ')
}

/** The option that a key stands for. */
export function optionForKey(options: readonly PermissionOption[], key: string): number {
  return options.findIndex((option) => KEYS[option.kind] === key)
}

export interface Question {
  text: string
  options: readonly PermissionOption[]
  /** Index of the option under the cursor, or of the answer. */
  chosen: number
  /** Says who answered; undefined while the question is open. */
  answered?: string
  /** How to answer; by default by keys. */
  hint?: string
}

export function permissionCard(canvas: Canvas, question: Question): string[] {
  const { text, options, chosen, answered } = question
  const rows = options.flatMap((option, index) => {
    const here = index === chosen
    const style = here ? (answered ? 'strong' : 'chosen') : answered ? 'dim' : 'plain'
    return optionRows(canvas, option, here ? ' ❯ ' : '   ', style)
  })
  const hint = answered ?? question.hint ?? `↑ ↓ and enter, or ${keysOf(options)}`
  return [
    top(canvas, { icon: '?', text: 'Permission', style: 'warn' }, edge),
    ...linesOf(openly(text)).flatMap((line) =>
      wrap(line, canvas.width - 4).map((part) => row(canvas, part, 'strong', edge)),
    ),
    ...rows,
    bottom(canvas, hint, answered ? 'good' : 'dim', edge),
  ]
}

/** The whole label: what would be remembered is never cut off. */
function optionRows(canvas: Canvas, option: PermissionOption, cursor: string, style: Style): string[] {
  return wrap(openly(option.name).replaceAll('`', ''), canvas.width - 12).map((part, index) =>
    parts(
      canvas,
      [
        ['warn', index === 0 ? cursor : '   '],
        ['dim', index === 0 ? `${KEYS[option.kind]} ` : '  '],
        [style, ` ${part} `],
        ['plain', ''],
      ],
      edge,
    ),
  )
}
