// A stored session as a page.
import type { Shown } from '#bridge/fold.ts'
import type { SessionHeader } from '#session/event.ts'
import { drawConversation } from './html/conversation.ts'
import { createHighlight } from './html/highlight.ts'
import { drawPage, drawSection, type Section } from './html/page.ts'

export async function replayPage(header: SessionHeader, shown: Shown): Promise<string> {
  const sections: Section[] = []
  const body = await drawConversation(await createHighlight(), shown, header.cwd, (card, title) => {
    const section = { id: `card-${sections.length + 1}`, title: shortTitle(title), group: 'cards' }
    sections.push(section)
    return drawSection(section, card)
  })
  return drawPage({
    title: shown.title ?? 'A Deckhand session',
    about: `${header.cwd} · ${header.createdAt.slice(0, 10)}`,
    sections,
    views: [],
    body,
  })
}

function shortTitle(title: string): string {
  return (title.split('\n')[0] ?? '').replaceAll('`', '') || 'call'
}
