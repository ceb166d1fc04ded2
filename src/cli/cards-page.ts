// The gallery as a page: every case, drawn for every client.
import { foldUpdates, type ShownCall } from '#bridge/fold.ts'
import { NAMED_PROFILES, PROFILE_NAMES, type ProfileName } from '#bridge/profile.ts'
import { type CardCase, CASE_CWD, caseUpdates } from './cards-case.ts'
import type { NamedCase } from './cards.ts'
import { drawCall } from './html/card.ts'
import { createHighlight, type Highlight } from './html/highlight.ts'
import { drawPage, drawSection, drawView, type Section } from './html/page.ts'
import { html, join, type Html } from './html/safe.ts'

export async function galleryPage(cases: readonly NamedCase[]): Promise<string> {
  const highlight = await createHighlight()
  const drawn = await Promise.all(cases.map((entry) => drawCase(highlight, entry)))
  return drawPage({
    title: 'Deckhand cards',
    about:
      'Every card, as an editor draws it: with terminals of its own (zed), with nothing (plain), with files only (fs-only).',
    sections: cases.map(sectionOf),
    views: [...PROFILE_NAMES, 'all'],
    body: join(drawn),
  })
}

function sectionOf({ name }: NamedCase): Section {
  const [group = '', title = ''] = name.split('/')
  return { id: name.replace('/', '-'), title: title.replaceAll('-', ' '), group }
}

async function drawCase(highlight: Highlight, entry: NamedCase): Promise<Html> {
  const { given } = entry
  const section = sectionOf(entry)
  const views = await Promise.all(
    PROFILE_NAMES.map(async (profile) =>
      drawView(profile, await drawCall(highlight, shownCall(given, profile), given.cwd ?? CASE_CWD)),
    ),
  )
  const heading = html`<h2>${section.group} · <b>${section.title}</b></h2>`
  return drawSection(
    section,
    html`${heading}
      <div class="views">${join(views)}</div>`,
  )
}

function shownCall(given: CardCase, profile: ProfileName): ShownCall {
  const { entries } = foldUpdates(caseUpdates(given, NAMED_PROFILES[profile]))
  const call = entries.find((entry) => entry.kind === 'call')
  return call?.kind === 'call' ? call : { kind: 'call', fields: {}, meta: {} }
}
