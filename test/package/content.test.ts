// What is shipped, file by file.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bundledPackages, licenceNotices, type Metafile } from '../../packaging/licences.ts'
import { ROOT } from '../cli/run-bin.ts'
import { pack, type Tarball } from './tarball.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const json = (path: string) => JSON.parse(read(path))

/** Everything that may be in the package, and why. */
const POLICY: Readonly<Record<string, RegExp>> = {
  'what npm shows': /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  'the launcher': /^bin\/deckhand\.js$/,
  'the bundle': /^dist\/[\w-]+\.c?js$/,
  'Code Mode': /^dist\/quickjs\.wasm$/,
  'the notices of what is bundled': /^dist\/THIRD-PARTY-LICENSES\.txt$/,
  types: /^dist\/types\/[\w/-]+\.d\.ts$/,
  'the sample project of `deckhand demo`': /^demo\/[\w/.-]+$/,
  'the gallery of `deckhand cards`': /^fixtures\/cards\/[\w-]+\/[\w-]+\.json$/,
  'what `$schema` of a configuration names': /^packaging\/config\.schema\.json$/,
}

let tarball: Tarball
let metafile: Metafile
beforeAll(async () => {
  tarball = await pack()
  metafile = json('dist/metafile.json') as Metafile
  return () => tarball.remove()
}, 120_000)

describe('the files of the package', () => {
  it('are those that the policy names, and there are some of each kind', () => {
    const kinds = Object.values(POLICY)
    expect(tarball.files.filter((path) => !kinds.some((kind) => kind.test(path)))).toEqual([])
    for (const [why, kind] of Object.entries(POLICY))
      expect(
        tarball.files.some((path) => kind.test(path)),
        why,
      ).toBe(true)
  })

  it('take less than 8 MB', () => {
    expect(tarball.unpackedSize).toBeLessThan(8_000_000)
  })

  it('hold of the bundle what the bundler made, and nothing from before', () => {
    const scripts = tarball.files.filter((path) => /^dist\/.*\.c?js$/.test(path))
    const faces = ['dist/index.js', 'dist/testing.js']
    expect(scripts.toSorted()).toEqual([...Object.keys(metafile.outputs), ...faces].toSorted())
  })

  it('hold the types that the two entries lead to, and none of a source that is gone', () => {
    const reached = new Set<string>()
    const visit = (path: string): void => {
      if (reached.has(path)) return
      reached.add(path)
      for (const [, specifier = ''] of read(path).matchAll(/(?:from|import\()\s*'([^']+)'/g))
        visit(typesOf(specifier, path))
    }
    for (const entry of ['index', 'testing']) visit(`dist/types/${entry}.d.ts`)
    expect(reached.size).toBeGreaterThan(10)
    expect([...reached].filter((path) => !tarball.files.includes(path))).toEqual([])
    const sourceOf = (path: string) => join(ROOT, path.replace('dist/types/', 'src/').replace('.d.ts', '.ts'))
    const types = tarball.files.filter((path) => path.startsWith('dist/types/'))
    expect(types.filter((path) => !existsSync(sourceOf(path)))).toEqual([])
  })
})

/** The declaration behind a specifier. Throws on one that a person who installs the package would not have. */
function typesOf(specifier: string, from: string): string {
  const inside = /^#(.+)\.ts$/.exec(specifier)?.[1]
  if (inside !== undefined) return `dist/types/${inside}.d.ts`
  const beside = /^(\.\/.+)\.ts$/.exec(specifier)?.[1]
  if (beside !== undefined) return posix.join(dirname(from), `${beside}.d.ts`)
  throw new Error(`${from} needs the types of ${specifier}`)
}

describe('the manifest', () => {
  it('asks for nothing but ripgrep, and runs no script of its own at an install', () => {
    const { dependencies, scripts, ...more } = json('package.json') as {
      dependencies: object
      scripts: Record<string, string>
    }
    expect(Object.keys(dependencies)).toEqual(['@vscode/ripgrep'])
    expect(more).not.toHaveProperty('optionalDependencies')
    expect(more).not.toHaveProperty('peerDependencies')
    const atInstall = /^(pre|post)?(install|prepare|publish|pack)/
    expect(Object.keys(scripts).filter((name) => atInstall.test(name))).toEqual([])
  })
})

describe('the licence notices', () => {
  const notices = () => read('dist/THIRD-PARTY-LICENSES.txt')

  it('name every package of which something is in the bundle, with a text', () => {
    const packages = bundledPackages(metafile).map((path) => json(`${path}/package.json`))
    expect(packages.length).toBeGreaterThan(40)
    const sections = notices().split(`\n${'='.repeat(80)}\n`)
    for (const { name, version } of packages as { name: string; version: string }[]) {
      const section = sections.find((text) => text.includes(`\n${name} ${version} (`))
      expect(section, name).toMatch(/copyright|license/i)
    }
  })

  it('are those of this bundle', async () => {
    expect(notices()).toBe(await licenceNotices(metafile, ROOT))
  })

  it('hold what packages contain of others: QuickJS, llhttp, grammars', () => {
    for (const owner of ['Fabrice Bellard', 'Fedor Indutny', 'Microsoft Corporation', 'Primer'])
      expect(notices()).toContain(owner)
  })

  it('name the origin of every bundled grammar', () => {
    const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
    const languages = inputs.flatMap(([path, { bytesInOutput }]) => {
      const language = /@shikijs\/langs\/dist\/([\w-]+)\.mjs$/.exec(path)?.[1]
      return language !== undefined && bytesInOutput > 200 ? [language] : []
    })
    expect(languages).toContain('typescript')
    const known = new Set(
      read('packaging/notices/grammars.txt')
        .match(/^[\w, -]+(?=:$)/gm)
        ?.join(', ')
        .split(', '),
    )
    expect(languages.filter((language) => !known.has(language))).toEqual([])
  })

  it('refuse a package that has no text, or whose licence asks for more', async () => {
    const root = await mkdtemp(join(tmpdir(), 'deckhand-licences-'))
    onTestFinished(() => rm(root, { recursive: true }))
    const add = async (name: string, license: string, text?: string) => {
      const directory = join(root, 'node_modules', name)
      await mkdir(directory, { recursive: true })
      await writeFile(join(directory, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }))
      if (text !== undefined) await writeFile(join(directory, 'LICENSE'), text)
    }
    await add('good', 'MIT', 'Copyright (c) Somebody')
    await add('@some/silent', 'MIT')
    await add('sharing', 'GPL-3.0-only', 'Copyright (c) Somebody')
    const notices = (...paths: string[]) => {
      const inputs = Object.fromEntries(paths.map((path) => [`node_modules/${path}`, { bytesInOutput: 1 }]))
      return licenceNotices({ outputs: { 'a.js': { inputs } } }, root)
    }
    await expect(notices('good/a.js')).resolves.toContain('good 1.0.0 (MIT)\n\nCopyright (c) Somebody')
    await expect(notices('good/a.js', '@some/silent/a.js')).rejects.toThrow(
      '@some/silent: it has no licence text',
    )
    await expect(notices('sharing/a.js')).rejects.toThrow('sharing: its licence is GPL-3.0-only')
  })
})
