// What the pages name exists: links, files, commands and their options, variables, settings, codes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSchema } from '#config/schema.ts'
import { commandNames, ROOT, runBin } from '../cli/run-bin.ts'
import { type Page, PAGES } from './pages.ts'

const textOf = (folder: string): string =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(ROOT, folder, path), 'utf8'))
    .join('\n')
const source = textOf('src')

/** `page: what`, for what the predicate finds wrong. */
function wrong(pick: (page: Page) => readonly string[], isWrong: (what: string, page: Page) => boolean) {
  return PAGES.flatMap((page) =>
    pick(page)
      .filter((what) => isWrong(what, page))
      .map((what) => `${page.path}: ${what}`),
  )
}

describe('the pages', () => {
  it('link to what exists', () => {
    const missing = wrong(
      ({ links }) => links.filter((link) => !/^[a-z]+:/.test(link)),
      (link, page) => {
        const [file = '', anchor] = link.split('#')
        const path = file === '' ? page.path : join(dirname(page.path), file)
        if (!existsSync(join(ROOT, path))) return !MADE.has(path)
        const target = PAGES.find((candidate) => candidate.path === path)
        return anchor !== undefined && target?.headings.includes(anchor) !== true
      },
    )
    expect(missing).toEqual([])
  })

  it('name files that exist, at the top or in src', () => {
    const named = ({ spans }: Page): string[] =>
      spans.filter(
        (span) => /^[\w-]+(?:\/[\w.-]+)+$/.test(span) && /\.\w+$|^(?:src|test|docs|bench)\//.test(span),
      )
    expect(named({ spans: ['src/main.ts'] } as unknown as Page)).toHaveLength(1)
    const places = [ROOT, join(ROOT, 'src')]
    expect(
      wrong(named, (path) => !MADE.has(path) && !places.some((place) => existsSync(join(place, path)))),
    ).toEqual([])
  })

  it('show the two commands for a fresh machine', () => {
    const readme = PAGES.find(({ path }) => path === 'README.md')?.text ?? ''
    expect(readme).toContain('npm ci && npm run demo')
    expect(readme).toContain('npm ci && npm test')
  })

  it('name scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
    const named = ({ text }: Page): string[] =>
      [...text.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '')
    expect(wrong(named, (name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it('name every page from the README', () => {
    const linked = PAGES.find(({ path }) => path === 'README.md')?.links ?? []
    const pages = PAGES.filter(({ path }) => /^docs\/[^/]+\.md$/.test(path))
    expect(pages.filter(({ path }) => !linked.includes(path)).map(({ path }) => path)).toEqual([])
  })

  it('name commands and options that exist', async () => {
    const commands = await commandNames()
    expect(commands.length).toBeGreaterThan(8)
    const helps = new Map(
      await Promise.all(
        commands.map(async (name) => [name, (await runBin([name, '--help'])).stdout] as const),
      ),
    )
    const lines = ({ spans, blocks }: Page): string[] => [
      ...spans.filter((span) => span.startsWith('deckhand ')),
      ...blocks.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('deckhand '))),
    ]
    const bad = (line: string): boolean => {
      const [, name = '', ...rest] = line.replace(/\s#.*$/, '').split(/\s+/)
      if (name === '…' || name.startsWith('<') || name.startsWith('--')) return false
      const help = helps.get(name)
      const options =
        rest
          .join(' ')
          .replaceAll(/"[^"]*"/g, '')
          .match(/--[\w-]+/g) ?? []
      return help === undefined || options.some((option) => option !== '--help' && !help.includes(option))
    }
    expect(bad('deckhand acp --nope')).toBe(true)
    expect(
      wrong(lines, (line) =>
        line.startsWith('deckhand needs') || line.startsWith('deckhand is') ? false : bad(line),
      ),
    ).toEqual([])
  }, 60_000)

  it('name variables that are read', () => {
    const variables = ({ text }: Page): string[] => [...new Set(text.match(/\bDECKHAND_[A-Z_]+\b/g))]
    expect(wrong(variables, (name) => !source.includes(name))).toEqual([])
  })

  it('name every variable that is read', () => {
    const pages = PAGES.map(({ text }) => text).join('\n')
    const read = [...new Set(source.match(/\bDECKHAND_[A-Z_]+\b/g))]
    expect(read.length).toBeGreaterThan(6)
    expect(read.filter((name) => !pages.includes(name))).toEqual([])
  })

  it('name settings that exist', () => {
    const { shape } = fileSchema
    const settings = ({ spans }: Page): string[] =>
      spans.filter(
        (span) =>
          /^[a-zA-Z]+\.(?!ts$)[a-zA-Z]+$/.test(span) && Object.hasOwn(shape, span.split('.')[0] ?? ''),
      )
    const known = JSON.parse(readFileSync(join(ROOT, 'packaging/config.schema.json'), 'utf8')) as Schema
    expect(
      wrong(settings, (setting) => {
        const [group = '', name = ''] = setting.split('.')
        const inside = known.properties[group]
        const properties = inside?.properties ?? inside?.additionalProperties?.properties ?? {}
        return !Object.hasOwn(properties, name)
      }),
    ).toEqual([])
  })

  it('quote messages that the source has', () => {
    const launcher = readFileSync(join(ROOT, 'bin/deckhand.js'), 'utf8')
    const quoted = ({ path, spans }: Page): string[] =>
      path === 'docs/troubleshooting.md' ? spans.filter((span) => MESSAGE.test(span)) : []
    expect(PAGES.flatMap(quoted).length).toBeGreaterThan(3)
    const known = (part: string): boolean => source.includes(part.trim()) || launcher.includes(part.trim())
    expect(wrong(quoted, (message) => !message.split('…').every(known))).toEqual([])
  })

  it('name codes that exist', () => {
    const codes = ({ spans }: Page): string[] => spans.filter((span) => /^[A-Z]+(?:_[A-Z]+)+$/.test(span))
    // Contributors read of variables of the tests, too.
    const all = source + textOf('test/fuzz') + textOf('test/soak')
    const isNone = (code: string, { path }: Page): boolean =>
      !(path === 'CONTRIBUTING.md' ? all : source).includes(code) && !ELSEWHERE.has(code)
    expect(wrong(codes, isNone)).toEqual([])
  })
})

/** Words, none of them an option, a path or JSON. */
const MESSAGE = /^(?!deckhand (?:run|doctor|mcp))[A-Za-z][^"{}/-]*(?: [^"{}/-]+){4,}$/

/** What a command of this repository writes. */
const MADE = new Set(['docs/benchmarks.md'])

/** Names of the system and of other programs. */
const ELSEWHERE = new Set(['MODULE_TYPELESS_PACKAGE_JSON', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'])

interface Schema {
  properties: Record<
    string,
    { properties?: object; additionalProperties?: { properties?: object } } | undefined
  >
}
