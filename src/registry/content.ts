// Content blocks at the door: what a tool or listener hands over is checked before anybody draws or stores it.
import { materialize } from '#json/materialize.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import type { UserMessage } from '#model/message.ts'

/** What is wrong with content, as a sentence; undefined when every block is one of the five kinds. */
export function contentFault(content: JsonValue): string | undefined {
  if (!Array.isArray(content)) return '"content" must be an array of content blocks'
  const index = content.findIndex((block) => !isJsonObject(block) || !isBlock(block))
  return index === -1
    ? undefined
    : `"content[${index}]" must be a text, image, audio, resource or resource_link block`
}

function isBlock(block: JsonObject): boolean {
  const strings = (...names: string[]): boolean => names.every((name) => typeof block[name] === 'string')
  switch (block['type']) {
    case 'text':
      return strings('text')
    case 'image':
    case 'audio':
      return strings('data', 'mimeType')
    case 'resource_link':
      return strings('uri', 'name')
    case 'resource': {
      const { resource } = block
      if (!isJsonObject(resource) || typeof resource['uri'] !== 'string') return false
      return typeof resource['text'] === 'string' || typeof resource['blob'] === 'string'
    }
    default:
      return false
  }
}

const SOURCES = new Set<unknown>(['user', 'tool', 'policy', 'plugin'])

/** Frozen copies of messages for the model. Throws a `TypeError` on what is none. */
export function snapshotContexts(contexts: unknown): UserMessage[] {
  if (!Array.isArray(contexts)) throw new TypeError('additionalContexts must be an array of messages')
  return contexts.map((message: unknown) => {
    const copy = materialize(message)
    if (!copy.ok || !isMessage(copy.value))
      throw new TypeError('a context message needs an id, content blocks and a source')
    return copy.value as unknown as UserMessage
  })
}

function isMessage(message: JsonValue): boolean {
  if (!isJsonObject(message) || typeof message['id'] !== 'string') return false
  const { source, content } = message
  return contentFault(content ?? null) === undefined && isJsonObject(source) && SOURCES.has(source['kind'])
}
