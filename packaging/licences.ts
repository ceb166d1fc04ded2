// The licence notices of everything that the bundle contains, from what the bundlers say that they took.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The part of a metafile, in the form of esbuild, that says what went into each output. */
export interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
}

interface BundledPackage {
  name: string
  version: string
  license: string
}

/** Licences that ask for nothing but their notice; another one is looked at by a person first. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
])

const NOTICE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i

/** What a package contains of others or leaves out itself: files of `packaging/notices/`. */
const MORE_NOTICES: Readonly<Record<string, string>> = {
  '@cfworker/json-schema': 'cfworker-json-schema.txt',
  '@shikijs/langs': 'grammars.txt',
  '@shikijs/themes': 'themes.txt',
  'quickjs-wasi': 'quickjs.txt',
  undici: 'llhttp.txt',
}

/** Packages whose repository has one licence file, which only this sibling of theirs carries along. */
const SAME_REPOSITORY: Readonly<Record<string, string>> = { '@ai-sdk/provider-utils': 'ai' }

/** The directories, relative to `root`, of the packages of which something is in the bundle; sorted. */
export function bundledPackages({ outputs }: Metafile): string[] {
  const found = new Set<string>()
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const directory = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
      if (directory !== undefined && bytesInOutput > 0) found.add(directory)
    }
  return [...found].toSorted()
}

/** One text, each notice once under the packages that it is for. Throws naming what may not be shipped as it is. */
export async function licenceNotices(metafile: Metafile, root: string): Promise<string> {
  const packagesOf = new Map<string, Set<string>>()
  const faults: string[] = []
  for (const directory of bundledPackages(metafile)) {
    const { name, version, license } = await readPackage(join(root, directory))
    if (!ACCEPTED.has(license)) faults.push(`${name}: its licence is ${license}`)
    const notices = await noticesOf(root, directory, name)
    if (notices.length === 0) faults.push(`${name}: it has no licence text`)
    for (const notice of notices) {
      const packages = packagesOf.get(notice) ?? new Set()
      packagesOf.set(notice, packages.add(`${name} ${version} (${license})`))
    }
  }
  if (faults.length > 0) throw new Error(`the bundle may not be shipped:\n${faults.join('\n')}`)
  const parts = [...packagesOf].map(([notice, packages]) => `${[...packages].join('\n')}\n\n${notice}\n`)
  return [INTRODUCTION, ...parts].join(`\n${'='.repeat(80)}\n\n`)
}

const INTRODUCTION =
  'Deckhand is published under the MIT License (see LICENSE). Its files contain code of these packages.\n'

async function readPackage(directory: string): Promise<BundledPackage> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as BundledPackage
}

async function noticesOf(root: string, directory: string, name: string): Promise<string[]> {
  const sibling = SAME_REPOSITORY[name]
  const source = sibling === undefined ? directory : join('node_modules', sibling)
  const own = (await readdir(join(root, source))).filter((file) => NOTICE_FILE.test(file)).toSorted()
  const more = MORE_NOTICES[name]
  const paths = own.map((file) => join(root, source, file))
  if (more !== undefined) paths.push(join(root, 'packaging', 'notices', more))
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim()).filter((text) => text !== '')
}
