// A conversation as a page shows it: what was said, thought and done, in order.
import type { Shown, ShownChat, ShownNotice } from '#bridge/fold.ts'
import { assertNever } from '#registry/view.ts'
import { drawBlock, drawCall } from './card.ts'
import type { Highlight } from './highlight.ts'
import { html, join, NOTHING, type Html } from './safe.ts'

const WHO: Record<ShownChat['kind'], string> = { user: 'You', agent: 'Agent', thought: 'Thought' }

/** The entries; `section` wraps each card, in order, so that a page can find them. */
export async function drawConversation(
  highlight: Highlight,
  shown: Shown,
  cwd: string,
  section: (card: Html, title: string) => Html,
): Promise<Html> {
  const drawn = await Promise.all(shown.entries.map((entry) => drawEntry(highlight, entry, cwd)))
  const entries = shown.entries.map((entry, index) => {
    const piece = drawn[index] ?? NOTHING
    return entry.kind === 'call' ? section(piece, titleOf(entry.fields)) : piece
  })
  return join([...entries, plan(shown.plan)])
}

function titleOf({ title }: Record<string, unknown>): string {
  return typeof title === 'string' ? title : ''
}

async function drawEntry(highlight: Highlight, entry: Shown['entries'][number], cwd: string): Promise<Html> {
  switch (entry.kind) {
    case 'call':
      return drawCall(highlight, entry, cwd)
    case 'compaction':
      return html`<p class="divider">the conversation was compacted</p>`
    case 'notice':
      return notice(entry)
    case 'user':
    case 'agent':
    case 'thought':
      return drawChat(highlight, entry)
    default:
      return assertNever(entry)
  }
}

async function drawChat(highlight: Highlight, { kind, content }: ShownChat): Promise<Html> {
  const blocks = join(await Promise.all(content.map((block) => drawBlock(highlight, block))))
  if (kind === 'thought')
    return html`<details class="thought">
      <summary>Thought</summary>
      ${blocks}
    </details>`
  return html`<div class="said ${kind}">
    <p class="who">${WHO[kind]}</p>
    ${blocks}
  </div>`
}

function plan(value: unknown): Html {
  if (!Array.isArray(value) || value.length === 0) return NOTHING
  const items = (value as { content: string; status: string }[]).map(
    ({ content, status }) => html`<li class="${status}">${content}</li>`,
  )
  return html`<section class="plan">
    <p class="label">plan</p>
    <ul>
      ${join(items)}
    </ul>
  </section>`
}

function notice({ severity, title, description }: ShownNotice): Html {
  return html`<p class="notice ${severity}"><strong>${title}</strong> ${description ?? ''}</p>`
}
