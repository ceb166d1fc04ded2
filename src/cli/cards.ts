// `deckhand cards`: the gallery of all cards on all profiles, from the fixtures.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join as joinPath, posix, sep } from 'node:path'
import { foldUpdates, type ShownCall } from '#bridge/fold.ts'
import { NAMED_PROFILES, type ProfileName } from '#bridge/profile.ts'
import { type CardCase, caseUpdates } from './cards-case.ts'
import type { Host } from './host.ts'

export interface GalleryOptions {
  /** Where the page is written. */
  html: string
}

interface NamedCase {
  /** Such as `diff/create`. */
  name: string
  given: CardCase
}

const PROFILES = Object.keys(NAMED_PROFILES) as ProfileName[]

/** Resolves with 1 when the page can't be written. */
export async function cards(host: Host, { html: target }: GalleryOptions): Promise<number> {
  const cases = await readCases(joinPath(host.root, 'fixtures', 'cards'))
  const page = await gallery(cases)
  try {
    await writeFile(target, page)
  } catch (error) {
    host.stderr.write(`deckhand: ${target} can't be written (${String(error)})\n`)
    return 1
  }
  host.stdout.write(`${cases.length} cards on ${PROFILES.length} clients: ${target}\n`)
  return 0
}

/** In the order of their names. */
export async function readCases(folder: string): Promise<NamedCase[]> {
  const files = await readdir(folder, { recursive: true })
  const names = files
    .filter((file) => file.endsWith('.json') && !PROFILES.some((profile) => file.endsWith(`.${profile}.json`)))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted()
  return Promise.all(
    names.map(async (name) => ({
      name: name.split(sep).join(posix.sep),
      given: JSON.parse(await readFile(joinPath(folder, `${name}.json`), 'utf8')) as CardCase,
    })),
  )
}

async function gallery(cases: readonly NamedCase[]): Promise<string> {
  const [{ createHighlight }, { drawCall }, { html, join }, { drawPage, drawSection, drawView }] = await Promise.all([
    import('./html/highlight.ts'),
    import('./html/card.ts'),
    import('./html/safe.ts'),
    import('./html/page.ts'),
  ])
  const highlight = await createHighlight()
  const sections = cases.map(({ name }) => {
    const [group = '', title = ''] = name.split('/')
    return { id: name.replace('/', '-'), title: title.replaceAll('-', ' '), group }
  })
  const drawn = await Promise.all(
    cases.map(async ({ given }, index) => {
      const section = sections[index] ?? { id: '', title: '', group: '' }
      const views = await Promise.all(
        PROFILES.map(async (profile) =>
          drawView(profile, await drawCall(highlight, shownCall(given, profile), given.cwd ?? '/home/dev/app')),
        ),
      )
      const heading = html`<h2>${section.group} · <b>${section.title}</b></h2>`
      return drawSection(section, html`${heading}<div class="views">${join(views)}</div>`)
    }),
  )
  return drawPage({
    title: 'Deckhand cards',
    about: 'Every card, as an editor draws it: with terminals of its own (zed), with nothing (plain), with files only (fs-only).',
    sections,
    views: [...PROFILES, 'all'],
    body: join(drawn),
  })
}

function shownCall(given: CardCase, profile: ProfileName): ShownCall {
  const { entries } = foldUpdates(caseUpdates(given, NAMED_PROFILES[profile]))
  const call = entries.find((entry) => entry.kind === 'call')
  return call?.kind === 'call' ? call : { kind: 'call', fields: {}, meta: {} }
}
