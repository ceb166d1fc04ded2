// `deckhand cards`: the gallery of all cards on all profiles, from the fixtures.
import { readdir, readFile } from 'node:fs/promises'
import { join as joinPath, posix, sep } from 'node:path'
import { PROFILE_NAMES } from '#bridge/profile.ts'
import type { CardCase } from './cards-case.ts'
import type { Host } from './host.ts'
import { writePage } from './write-page.ts'

export interface GalleryOptions {
  /** Where the page is written. */
  html: string
}

export interface NamedCase {
  /** Such as `diff/create`. */
  name: string
  given: CardCase
}

/** Resolves with 1 when the page can't be written. */
export async function cards(host: Host, { html: target }: GalleryOptions): Promise<number> {
  const cases = await readCases(joinPath(host.root, 'fixtures', 'cards'))
  const { galleryPage } = await import('./cards-page.ts')
  const page = await galleryPage(cases)
  if (!(await writePage(host, target, page))) return 1
  host.stdout.write(`${cases.length} cards on ${PROFILE_NAMES.length} clients: ${target}\n`)
  return 0
}

/** In the order of their names. */
export async function readCases(folder: string): Promise<NamedCase[]> {
  const files = await readdir(folder, { recursive: true })
  const names = files
    .filter(
      (file) => file.endsWith('.json') && !PROFILE_NAMES.some((profile) => file.endsWith(`.${profile}.json`)),
    )
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted()
  return Promise.all(
    names.map(async (name) => ({
      name: name.split(sep).join(posix.sep),
      given: JSON.parse(await readFile(joinPath(folder, `${name}.json`), 'utf8')) as CardCase,
    })),
  )
}
