// Text of a card: fences as code with dimmed line numbers, everything else wrapped.
import type { ContentBlock, ToolCallContent } from '@agentclientprotocol/sdk'
import { cut, parts, row } from './frame.ts'
import type { Canvas } from './paint.ts'
import { clean, linesOf, openly, wrap } from './text.ts'

/** The text of everything in a card's content that is text or can be named. */
export function textOf(content: readonly ToolCallContent[]): string {
  return content.flatMap((part) => (part.type === 'content' ? [blockText(part.content)] : [])).join('\n')
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource_link':
      return `${block.title ?? block.name} <${block.uri}>`
    case 'resource':
      return 'text' in block.resource && typeof block.resource.text === 'string'
        ? block.resource.text
        : block.resource.uri
    case 'image':
    case 'audio':
      return `(${block.type}, ${block.mimeType})`
    default:
      return '(something this terminal cannot show)'
  }
}

/** Rows of a frame; at most `limit`, with a count of what is left out. Without one all is seen, long lines of code and control characters too. */
export function textRows(canvas: Canvas, text: string, limit = Infinity): string[] {
  const whole = limit === Infinity
  const draw = whole ? wrapped : clipped
  const rows: string[] = []
  let block: { fence: string; lines: string[] } | undefined
  for (const line of linesOf(whole ? openly(text) : text)) {
    const mark = /^(`{3,})[\w+#.-]*$/.exec(line)?.[1]
    if (block === undefined && mark !== undefined) block = { fence: mark, lines: [] }
    else if (block === undefined) rows.push(...wrapped(canvas, line))
    else if (line !== block.fence) block.lines.push(line)
    else {
      rows.push(...codeRows(canvas, block.lines, draw))
      block = undefined
    }
  }
  return cut(canvas, [...rows, ...codeRows(canvas, block?.lines ?? [], draw)], limit)
}

/** How many lines of code or text there are, fences not counted. */
export function lineCount(text: string): number {
  return linesOf(text).filter((line) => !/^`{3,}/.test(line)).length
}

/** Numbers in front of all lines are dimmed: those of a file. */
function codeRows(canvas: Canvas, lines: readonly string[], draw: typeof wrapped): string[] {
  const numbered = lines.map((line) => /^( *\d+)(?: {2}(.*))?$/.exec(line))
  if (!numbered.every((match) => match !== null)) return lines.flatMap((line) => draw(canvas, line))
  return numbered.map(([, number = '', rest = '']) =>
    parts(canvas, [
      ['dim', `${number}  `],
      ['plain', clean(rest)],
    ]),
  )
}

function clipped(canvas: Canvas, line: string): string[] {
  return [row(canvas, clean(line))]
}

function wrapped(canvas: Canvas, line: string): string[] {
  return wrap(line, canvas.width - 4).map((part) => row(canvas, part))
}
