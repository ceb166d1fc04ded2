// The blocks of a prompt: what the model is sent, what the person is shown again, and what could not be used.
import type { PromptInput } from '#agent/port.ts'
import type { ContentBlock } from '#model/content.ts'
import { clipText } from '#bridge/cards/clip.ts'
import { isJsonObject } from '#json/value.ts'
import { linkText } from './resource-link.ts'
import type { Notice } from './session-connection.ts'
import { invalidParams } from './wire-error.ts'
import { fence } from '#registry/view.ts'

const IMAGE_LIMIT = 10 * 1024 * 1024
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

type Block =
  | { type: 'text'; text: string }
  | Link
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: Resource }
interface Link {
  type: 'resource_link'
  uri: string
  name?: string | undefined
  mimeType?: string | undefined
}
interface Resource {
  uri: string
  mimeType?: string | undefined
  /** Undefined: it is binary. */
  text: string | undefined
}

interface Taken {
  model: ContentBlock
  shown: ContentBlock
  /** Says something: not blank, and supported. */
  counts: boolean
  /** Why it could not be used. */
  problem?: string
}

/** Throws -32602 when nothing in the prompt says anything. Blocks keep their order. */
export function promptContent(
  blocks: readonly unknown[],
  cwd: string,
): { input: PromptInput; notices: Notice[] } {
  const taken = blocks.map((block) => take(block, cwd))
  const problems = taken.flatMap((entry) => entry.problem ?? [])
  if (!taken.some((entry) => entry.counts)) {
    throw invalidParams(
      problems.length > 0
        ? `nothing in the prompt can be used: ${problems.join('; ')}`
        : 'the prompt is empty',
    )
  }
  return {
    input: { content: taken.map((entry) => entry.model), shown: taken.map((entry) => entry.shown) },
    notices: problems.map((title) => ({ type: 'notice', severity: 'warning', title })),
  }
}

function take(raw: unknown, cwd: string): Taken {
  const block = blockOf(raw)
  if (block === undefined) return unusable(`a block of type ${typeOf(raw)} is not supported`)
  switch (block.type) {
    case 'text': {
      const text = block.text.toWellFormed()
      return same({ type: 'text', text }, text.trim() !== '')
    }
    case 'resource_link':
      return link(block, cwd)
    case 'resource':
      return resource(block.resource, cwd)
    case 'image':
      return image(block)
    case 'audio':
      return unusable(`audio (${block.mimeType}) is not supported`)
  }
}

function same(block: ContentBlock, counts: boolean): Taken {
  return { model: block, shown: block, counts }
}

/** Stated in text, so that neither model nor person believes it arrived. */
function unusable(problem: string): Taken {
  const block: ContentBlock = { type: 'text', text: `[${problem}]` }
  return { model: block, shown: block, counts: false, problem }
}

function link(block: Link, cwd: string): Taken {
  const name = block.name ?? block.uri
  return {
    model: { type: 'text', text: linkText(block.uri, name, cwd).toWellFormed() },
    shown: {
      type: 'resource_link',
      uri: block.uri,
      name,
      ...(block.mimeType && { mimeType: block.mimeType }),
    },
    counts: true,
  }
}

function resource(given: Resource, cwd: string): Taken {
  if (given.text === undefined) return unusable(`the binary resource ${given.uri} is not supported`)
  const { uri } = given
  const text = given.text.toWellFormed()
  const named = linkText(uri, uri, cwd)
  return {
    model: { type: 'text', text: `Attached ${named} ${uri}\n${fence(clipText(text))}` },
    shown: { type: 'resource', resource: { uri, text, ...(given.mimeType && { mimeType: given.mimeType }) } },
    counts: true,
  }
}

function image(block: { data: string; mimeType: string }): Taken {
  if (!IMAGE_TYPES.has(block.mimeType)) return unusable(`an image of type ${block.mimeType} is not supported`)
  const bytes = Buffer.from(block.data, 'base64')
  if (bytes.length > IMAGE_LIMIT)
    return unusable(`an image of ${bytes.length} bytes is too large (limit ${IMAGE_LIMIT})`)
  const data = bytes.toString('base64')
  const sent = block.data.replaceAll(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (bytes.length === 0 || data.replace(/=+$/, '') !== sent) return unusable('an image is not valid base64')
  return same({ type: 'image', data, mimeType: block.mimeType }, true)
}

function typeOf(raw: unknown): string {
  const type = isJsonObject(raw) ? raw['type'] : undefined
  return JSON.stringify(typeof type === 'string' ? type.slice(0, 40) : 'unknown')
}

/** The block, of what the protocol names; undefined for any other, and for one that lacks a part. */
function blockOf(raw: unknown): Block | undefined {
  if (!isJsonObject(raw)) return undefined
  const { type, text, uri, data, mimeType, resource: held } = raw
  const [name, mime] = [optional(raw['name']), optional(mimeType)]
  switch (type) {
    case 'text':
      return typeof text === 'string' ? { type, text } : undefined
    case 'resource_link':
      if (typeof uri !== 'string' || name === false || mime === false) return undefined
      return { type, uri, name, mimeType: mime }
    case 'image':
    case 'audio':
      return typeof data === 'string' && typeof mimeType === 'string' ? { type, data, mimeType } : undefined
    case 'resource': {
      const resource = resourceOf(held)
      return resource && { type, resource }
    }
    default:
      return undefined
  }
}

function resourceOf(raw: unknown): Resource | undefined {
  if (!isJsonObject(raw)) return undefined
  const { uri, text, blob } = raw
  const mimeType = optional(raw['mimeType'])
  if (typeof uri !== 'string' || mimeType === false) return undefined
  if (typeof text === 'string') return { uri, mimeType, text }
  return typeof blob === 'string' ? { uri, mimeType, text: undefined } : undefined
}

/** False for what is neither absent nor a text. */
function optional(value: unknown): string | undefined | false {
  return value === null || value === undefined ? undefined : typeof value === 'string' ? value : false
}
