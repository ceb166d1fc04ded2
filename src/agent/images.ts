// Images that a model can't see: it is sent a sentence in place of each, and the person is told so.
import type { ContentBlock } from '#model/content.ts'
import type { Model } from '#model/port.ts'
import type { LiveSession } from './live-session.ts'

const TITLE = 'This model can’t see images'

/** Once in the life of a session, when something that the person sent holds an image. Events before `from` are known to hold none. */
export function tellOfImages(session: LiveSession, { provider, id, images }: Model, from: number): void {
  if (images) return
  const events = session.history()
  const sent = events
    .slice(from)
    .some(
      (event) =>
        event.type === 'user_message' &&
        event.message.source.kind === 'user' &&
        event.message.content.some(isImage),
    )
  if (!sent || events.some((event) => event.type === 'notice' && event.title === TITLE)) return
  session.record({
    type: 'notice',
    severity: 'warning',
    title: TITLE,
    description: `${provider}/${id} is sent a sentence in place of each image.`,
  })
}

function isImage(block: ContentBlock): boolean {
  if (block.type !== 'resource') return block.type === 'image'
  const { resource } = block
  return !('text' in resource) && resource.mimeType?.startsWith('image/') === true
}
