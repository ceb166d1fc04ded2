// Content blocks → what a provider can be sent: text and images; a sentence stands for anything else.
import type { ContentBlock } from './content.ts'

export type SentPart = { type: 'text'; text: string } | { type: 'image'; data: string; mediaType: string }

const READABLE_IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** One block. `images`: whether the model reads them. Lone surrogates are repaired: providers refuse them. */
export function toSentPart(block: ContentBlock, images: boolean): SentPart {
  switch (block.type) {
    case 'text':
      return text(block.text)
    case 'image':
      return image(block.data, block.mimeType, images)
    case 'audio':
      return text(`[Audio (${block.mimeType}) is here; it can't be shown to this model.]`)
    case 'resource_link':
      return text(`[${block.title ?? block.name}](${block.uri})`)
    case 'resource': {
      const { resource } = block
      if ('text' in resource) return text(`${resource.uri}:\n${resource.text}`)
      const mimeType = resource.mimeType ?? 'application/octet-stream'
      if (mimeType.startsWith('image/')) return image(resource.blob, mimeType, images)
      return text(`[${resource.uri} (${mimeType}) is binary and can't be shown to this model.]`)
    }
  }
}

function image(data: string, mimeType: string, images: boolean): SentPart {
  const mediaType = mimeType.toLowerCase().replace(/^image\/jpg$/, 'image/jpeg')
  if (images && READABLE_IMAGES.has(mediaType)) return { type: 'image', data, mediaType }
  const why = images ? 'images of this type' : 'images'
  return text(`[An image (${mimeType}) is here; this model can't read ${why}.]`)
}

function text(value: string): SentPart {
  return { type: 'text', text: value.toWellFormed() }
}
