// The title of a session: the first line of its first prompt.
import { visible } from '#registry/visible.ts'
import { type ContentBlock, textOf } from '#model/content.ts'

const MAX_LENGTH = 80

/** At most 80 characters; the name of the first link or file when there is no text; empty when there is neither. */
export function titleOf(content: readonly ContentBlock[]): string {
  const line =
    textOf(content)
      .split('\n')
      .find((text) => text.trim() !== '')
      ?.trim() ??
    linkName(content) ??
    ''
  const characters = [...visible(line).replaceAll(/[\s\u2028\u2029]+/g, ' ')]
  return characters.length <= MAX_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`
}

function linkName(content: readonly ContentBlock[]): string | undefined {
  return content.find((block) => block.type === 'resource_link')?.name
}
