// Images that models can be shown, known by their first bytes.

/** Bytes. */
export const MAX_IMAGE = 10 * 1024 * 1024
/** As many first bytes as `imageType` looks at. */
export const IMAGE_MAGIC = 12

/** The MIME type, or `undefined` when the bytes begin no known image. */
export function imageType(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, IMAGE_MAGIC)).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp'
  return undefined
}
