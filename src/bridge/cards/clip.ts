// What is too long for one update: text is clipped with a stated count, diffs lose whole hunks, never half of one.
import type { StructuredPatchHunk } from 'diff'
import type { ToolCallContent } from '@agentclientprotocol/sdk'
import type { FileDiff } from '#registry/view.ts'
import { cutBytes } from '#workspace/text.ts'
import { textContent } from './card.ts'
import { hunksBetween } from './patch.ts'

/** Bytes of content in one update. */
export const CONTENT_LIMIT = 256 * 1024
/** Base64 characters of one picture or sound; these are shown whole or not at all. */
const MEDIA_LIMIT = 16 * 1024 * 1024

/** `text`, or the part of it that fits with a sentence saying how much is left out. */
export function clipText(text: string, limit = CONTENT_LIMIT, keep: 'head' | 'tail' = 'head'): string {
  const kept = cutBytes(text, limit, keep)
  const missing = Buffer.byteLength(text) - Buffer.byteLength(kept)
  if (missing === 0) return text
  return keep === 'head'
    ? `${kept}\n… ${missing} more bytes not shown`
    : `… ${missing} bytes not shown\n${kept}`
}

/** Content blocks within the limit of one update; diffs and terminals pass (see `diffContent`). */
export function clipContent(content: readonly ToolCallContent[]): ToolCallContent[] {
  let left = CONTENT_LIMIT
  return content.map((entry) => {
    if (entry.type !== 'content') return entry
    const block = entry.content
    if (block.type === 'text') {
      const text = clipText(block.text, left)
      left = Math.max(0, left - Buffer.byteLength(text))
      return text === block.text ? entry : { ...entry, content: { ...block, text } }
    }
    if (block.type === 'resource' && 'text' in block.resource) {
      const text = clipText(block.resource.text, left)
      left = Math.max(0, left - Buffer.byteLength(text))
      return { ...entry, content: { ...block, resource: { ...block.resource, text } } }
    }
    const data =
      'data' in block
        ? block.data
        : block.type === 'resource' && 'blob' in block.resource
          ? block.resource.blob
          : ''
    return data.length > MEDIA_LIMIT
      ? textContent(`(${block.type} of ${data.length} base64 characters not shown)`)
      : entry
  })
}

/** Raw input or output for the wire; where it is too long, its long strings are clipped, or a sentence stands in. */
export function clipJson(value: unknown): unknown {
  const size = jsonSize(value)
  if (size <= CONTENT_LIMIT) return value
  const short = clipStrings(value)
  return jsonSize(short) <= CONTENT_LIMIT ? short : `(${size} bytes not shown)`
}

function jsonSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

function clipStrings(value: unknown): unknown {
  if (typeof value === 'string') return clipText(value, CONTENT_LIMIT / 16)
  if (Array.isArray(value)) return value.map(clipStrings)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, clipStrings(entry)]))
}

/** Diff blocks within the limit, whole hunks only; a text block counts what is missing. Paths are made by `pathOf`. */
export function diffContent(diffs: readonly FileDiff[], pathOf: (path: string) => string): ToolCallContent[] {
  const fits = diffs.reduce((sum, diff) => sum + sizeOf(diff), 0) <= CONTENT_LIMIT
  const pieces = fits ? diffs : diffs.flatMap(hunksOf)
  let left = CONTENT_LIMIT
  let open = true
  const shown = pieces.filter((piece) => {
    open &&= sizeOf(piece) <= left
    if (open) left -= sizeOf(piece)
    return open
  })
  const blocks = shown.map((diff): ToolCallContent => ({ type: 'diff', ...diff, path: pathOf(diff.path) }))
  const missing = pieces.length - shown.length
  if (missing === 0) return blocks
  const bytes = pieces.slice(shown.length).reduce((sum, diff) => sum + sizeOf(diff), 0)
  return [
    ...blocks,
    textContent(`${missing} of ${pieces.length} changes not shown (${bytes} bytes): too long to display`),
  ]
}

function sizeOf(diff: FileDiff): number {
  return Buffer.byteLength(diff.oldText ?? '') + Buffer.byteLength(diff.newText)
}

function hunksOf(diff: FileDiff): FileDiff[] {
  if (diff.oldText === null || sizeOf(diff) <= CONTENT_LIMIT / 8) return [diff]
  const hunks = hunksBetween(diff.oldText, diff.newText)
  return hunks ? hunks.map((hunk) => asDiff(diff.path, hunk)) : [diff]
}

function asDiff(path: string, hunk: StructuredPatchHunk): FileDiff {
  const side = (sign: string): string =>
    hunk.lines
      .filter((line) => line.startsWith(' ') || line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('')
  return { path, oldText: side('-'), newText: side('+') }
}
