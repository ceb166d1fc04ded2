// What a server answered to a call, as the house's content blocks: lenient in shape, bounded in size.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import { type ContentBlock, textOf } from '#model/content.ts'
import { Allowance, contentBlock } from './content-block.ts'
import { withoutBinary } from './without-binary.ts'

/** The canonical value of an imported tool. */
export interface McpValue {
  content: ContentBlock[]
  structuredContent?: JsonValue
}
export interface ReadResult {
  value: McpValue
  isError: boolean
}

/** Throws an `Error` that says what is wrong when the answer is no result. */
export function readToolResult(raw: unknown): ReadResult {
  if (!isJsonObject(raw)) throw new Error(`the server answered with ${describe(raw)} instead of a result`)
  const envelope = unwrapped(raw)
  const allowance = new Allowance()
  const content = blocks(envelope['content'], allowance)
  const structured = envelope['structuredContent']
  const value: McpValue = { content }
  if (structured !== undefined && structured !== null) {
    value.structuredContent = withoutBinary(structured, allowance)
  }
  return { value, isError: envelope['isError'] === true || raw['isError'] === true }
}

/** What the model reads. */
export function renderResult(value: McpValue): ContentBlock[] {
  if (value.content.length > 0) return value.content
  if (value.structuredContent === undefined) return [{ type: 'text', text: '(no output)' }]
  return [{ type: 'text', text: JSON.stringify(value.structuredContent, null, 2) }]
}

/** The text of a failed call. */
export function failureText(value: McpValue): string {
  const content = renderResult(value)
  const others = content.filter(({ type }) => type !== 'text').length
  const text = textOf(content) || 'the tool failed without saying why'
  return others === 0 ? text : `${text}\n(${others} more blocks that are no text)`
}

/** Answers of 2024-10-07 held the result in `toolResult`. */
function unwrapped(raw: JsonObject): JsonObject {
  const old = raw['toolResult']
  if (old === undefined || (raw['content'] !== undefined && raw['content'] !== null)) return raw
  return isJsonObject(old) ? old : { content: [{ type: 'text', text: JSON.stringify(old) }] }
}

function blocks(content: JsonValue | undefined, allowance: Allowance): ContentBlock[] {
  if (content === undefined || content === null) return []
  if (!Array.isArray(content)) {
    throw new Error(`the server's result is malformed: "content" is ${describe(content)} instead of a list`)
  }
  return content.flatMap((block) => contentBlock(block, allowance))
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`
}
