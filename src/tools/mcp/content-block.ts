// One content block of a server, made one of ours. What can't be kept is said in text.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import { cutUnits } from '#workspace/text.ts'

/** Characters of text and of base64 that one answer may bring. */
const TEXT = 2 * 1024 * 1024
const BINARY = 8 * 1024 * 1024
const UNKNOWN = 4096

const BASE64 = /^[A-Za-z0-9+/_\s-]*=*\s*$/

/** What one answer has left. */
export class Allowance {
  #text = TEXT
  #binary = BINARY

  /** The text, or its head and tail when it is more than is left. */
  text(text: string): string {
    const room = this.#text
    this.#text = Math.max(0, room - text.length)
    if (text.length <= room) return text
    const half = Math.floor(room / 2)
    const cut = `\n… (${text.length - 2 * half} characters left out) …\n`
    return text.slice(0, half) + cut + text.slice(text.length - half)
  }

  /** Whether this much base64 may be kept; counts it when it may. */
  binary(length: number): boolean {
    if (length > this.#binary) return false
    this.#binary -= length
    return true
  }
}

export function contentBlock(raw: JsonValue, allowance: Allowance): ContentBlock[] {
  if (!isJsonObject(raw)) return [note(`a block that is no object: ${brief(raw)}`, allowance)]
  const text = raw['text']
  switch (raw['type']) {
    case 'text':
      return typeof text === 'string'
        ? [{ type: 'text', text: allowance.text(text) }]
        : [note(`a text block without text: ${brief(raw)}`, allowance)]
    case 'image':
    case 'audio':
      return [media(raw['type'], raw, allowance)]
    case 'resource':
      return [resource(raw, allowance)]
    case 'resource_link':
      return [link(raw, allowance)]
    default:
      return typeof text === 'string' && raw['type'] === undefined
        ? [{ type: 'text', text: allowance.text(text) }]
        : [note(`a block of unknown type: ${brief(raw)}`, allowance)]
  }
}

function media(type: 'image' | 'audio', raw: JsonObject, allowance: Allowance): ContentBlock {
  const { data, mimeType } = raw
  if (typeof data !== 'string' || typeof mimeType !== 'string' || data === '' || !BASE64.test(data))
    return note(`an ${type} that is malformed`, allowance)
  if (!allowance.binary(data.length))
    return note(
      `an ${type} (${mimeType}) of ${data.length} characters of base64: too large to keep`,
      allowance,
    )
  return { type, data, mimeType }
}

function resource(raw: JsonObject, allowance: Allowance): ContentBlock {
  const inner = raw['resource']
  if (!isJsonObject(inner)) return note(`a resource that is malformed: ${brief(raw)}`, allowance)
  return resourceBlock(inner, allowance)
}

/** `ResourceContents` of the protocol. */
export function resourceBlock(inner: JsonObject, allowance: Allowance): ContentBlock {
  const { uri, text, blob, mimeType } = inner
  const type = typeof mimeType === 'string' ? { mimeType } : {}
  if (typeof uri !== 'string') return note(`a resource without a URI: ${brief(inner)}`, allowance)
  if (typeof text === 'string')
    return { type: 'resource', resource: { uri, ...type, text: allowance.text(text) } }
  if (typeof blob !== 'string') return note(`the resource ${uri}, which is empty`, allowance)
  if (!allowance.binary(blob.length))
    return note(`the resource ${uri} of ${blob.length} characters of base64: too large to keep`, allowance)
  return { type: 'resource', resource: { uri, ...type, blob } }
}

function link(raw: JsonObject, allowance: Allowance): ContentBlock {
  const { uri, name, title, description, mimeType, size } = raw
  if (typeof uri !== 'string') return note(`a link without a URI: ${brief(raw)}`, allowance)
  return {
    type: 'resource_link',
    uri,
    name: typeof name === 'string' && name !== '' ? name : uri,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description: allowance.text(description) }),
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(typeof size === 'number' && { size }),
  }
}

function note(what: string, allowance: Allowance): ContentBlock {
  return { type: 'text', text: allowance.text(`[The server sent ${what}]`) }
}

function brief(value: JsonValue): string {
  const json = JSON.stringify(value)
  return json.length <= UNKNOWN ? json : `${cutUnits(json, UNKNOWN)}…`
}
