// Text of a card: fences as code with dimmed line numbers, everything else wrapped.
import type { ContentBlock, ToolCallContent } from '@agentclientprotocol/sdk'
import { cut, parts, row } from './frame.ts'
import type { Canvas } from './paint.ts'
import { clean, linesOf, wrap } from './text.ts'

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

/** Rows of a frame; at most `limit`, with a count of what is left out. */
export function textRows(canvas: Canvas, text: string, limit: number): string[] {
  const rows: string[] = []
  let fence = ''
  for (const line of linesOf(text)) {
    const mark = /^(`{3,})[\w+#.-]*$/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && line === fence) fence = ''
    else if (fence === '') rows.push(...wrapped(canvas, line))
    else rows.push(codeRow(canvas, line))
  }
  return cut(canvas, rows, limit)
}

/** How many lines of code or text there are, fences not counted. */
export function lineCount(text: string): number {
  return linesOf(text).filter((line) => !/^`{3,}/.test(line)).length
}

function codeRow(canvas: Canvas, line: string): string {
  const [, number, rest = ''] = /^( *\d+)(?:[ \t│|:→]|$)(.*)$/.exec(line) ?? []
  return number === undefined
    ? row(canvas, clean(line))
    : parts(canvas, [
        ['dim', `${number}  `],
        ['plain', clean(rest)],
      ])
}

function wrapped(canvas: Canvas, line: string): string[] {
  return wrap(line, canvas.width - 4).map((part) => row(canvas, part))
}
