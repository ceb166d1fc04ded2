// Help as a page: names in one column, what they mean in another, as wide as the terminal.
import type { ArgDef, ArgsDef, CommandDef } from 'citty'
import { columnsOf, wrap } from './draw/text.ts'
import type { Canvas } from './draw/paint.ts'

/** A heading and its rows; a row without a meaning is a line of its own. */
export interface HelpPart {
  heading: string
  rows: readonly (readonly [name: string, meaning?: string])[]
}

export interface HelpPage {
  /** What the command is for. */
  summary: string
  /** What is typed, without `deckhand`. */
  usage: string
  parts: readonly HelpPart[]
}

/** Names that take more of the line stand on one of their own. */
const MOST_FOR_NAMES = 0.3

export function helpText(canvas: Canvas, { summary, usage, parts }: HelpPage): string {
  const { paint } = canvas
  const blocks = [
    wrap(summary, canvas.width),
    wrap(`deckhand ${usage}`, canvas.width - 6).map(
      (line, index) => `${index === 0 ? paint('strong', 'USAGE') : '     '} ${paint('accent', line)}`,
    ),
    ...parts
      .filter(({ rows }) => rows.length > 0)
      .map(({ heading, rows }) => [paint('strong', heading), '', ...table(canvas, rows)]),
  ]
  return blocks.map((lines) => lines.join('\n')).join('\n\n')
}

function table({ width, paint }: Canvas, rows: HelpPart['rows']): string[] {
  const named = rows.filter(([, meaning]) => meaning !== undefined).map(([name]) => columnsOf(name))
  const column = Math.max(4, ...named.filter((columns) => columns <= width * MOST_FOR_NAMES)) + 4
  return rows.flatMap(([name, meaning]) => {
    if (meaning === undefined) return wrap(name, width - 2).map((line) => `  ${line}`)
    const lines = wrap(meaning, width - column)
    const below = columnsOf(name) > column - 4
    const first = below
      ? []
      : [`  ${paint('accent', name.padEnd(column - 2))}${lines.shift() ?? ''}`.trimEnd()]
    const rest = lines.map((line) => ' '.repeat(column) + line)
    return [...(below ? [`  ${paint('accent', name)}`] : first), ...rest]
  })
}

/** The page of one command, from its definition. */
export function commandPage(name: string, command: CommandDef, more: readonly HelpPart[] = []): HelpPage {
  const args = Object.entries((command.args ?? {}) as ArgsDef)
  const positional = args.filter(([, { type }]) => type === 'positional')
  const options = args.filter(([, { type }]) => type !== 'positional')
  const meta = command.meta as { description?: string } | undefined
  const words = positional.map(([key, { required }]) => (required === false ? `[${key}]` : `<${key}>`))
  return {
    summary: meta?.description ?? '',
    usage: [name, ...words, ...(options.length > 0 ? ['[options]'] : [])].join(' '),
    parts: [
      { heading: 'ARGUMENTS', rows: positional.map(([key, arg]) => [key, arg.description ?? '']) },
      { heading: 'OPTIONS', rows: options.map(([key, arg]) => [optionName(key, arg), meaningOf(arg)]) },
      ...more,
    ],
  }
}

function optionName(key: string, arg: ArgDef): string {
  if (arg.type === 'boolean') return `--${key}`
  return arg.type === 'enum' ? `--${key} <${arg.options?.join('|')}>` : `--${key} <${arg.valueHint ?? key}>`
}

function meaningOf(arg: ArgDef): string {
  const { description = '' } = arg
  return arg.default === undefined ? description : `${description} (default: ${String(arg.default)})`
}
