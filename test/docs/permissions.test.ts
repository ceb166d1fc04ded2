// The tables of docs/permissions.md, decided by the policy itself.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'jsonc-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonValue } from '#json/value.ts'
import { createPlaces } from '#policy/places.ts'
import { decide, type Mode } from '#policy/policy.ts'
import { compileRules, type PermissionRules } from '#policy/rules.ts'
import { createFileSystem } from '#workspace/file-system.ts'
import { pageOf, tableOf } from './pages.ts'

const page = pageOf('docs/permissions.md')
const WORDS = { allow: 'allowed', ask: 'asks', deny: 'denied' } as const

let cwd = ''
beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-permissions-')))
  for (const folder of ['.git', 'src/generated']) await mkdir(join(cwd, folder), { recursive: true })
  for (const file of ['README.md', 'src/a.ts', 'key.pem']) await writeFile(join(cwd, file), 'text\n')
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

const table = (heading: string): string[][] => tableOf(page, heading)

/** `tool argument`, as the tool takes it. */
function callOf(text: string): { name: string; arguments: JsonValue } {
  const [, name = '', rest = ''] = /^`(\S+) ?(.*)`$/.exec(text) ?? []
  const key = { bash: 'command', grep: 'path', delete: 'path', web_fetch: 'url' }[name] ?? 'file_path'
  return { name, arguments: rest === '' ? {} : { [key]: rest } }
}

async function outcome(text: string, mode: Mode, rules: PermissionRules): Promise<string> {
  const { realPath } = createFileSystem()
  const places = createPlaces({ roots: [cwd], own: [], resolve: (path) => resolve(cwd, path), realPath })
  const compiled = compileRules(rules)
  const decision = await decide(callOf(text), {
    mode: () => mode,
    places,
    rules: () => compiled,
    commandLanguage: 'bash',
  })
  return WORDS[decision.kind]
}

describe('docs/permissions.md', () => {
  it('says what each mode does', async () => {
    const rows = table('`accept-edits`')
    const modes = ['ask', 'accept-edits', 'plan', 'bypass'] as const
    const real = await Promise.all(
      rows.map(async ([call = '']) => [
        call,
        ...(await Promise.all(modes.map((mode) => outcome(call, mode, {})))),
      ]),
    )
    expect(rows.length).toBeGreaterThan(10)
    expect(rows).toEqual(real)
  })

  it('says what its rules do', async () => {
    const block = page.blocks.find(({ text }) => text.includes('"permissions"'))
    const { permissions } = parse(block?.text ?? '') as { permissions: PermissionRules }
    const rows = table('what happens').map(([call = '', said = '']) => [call, said])
    const real = await Promise.all(
      rows.map(async ([call = '']) => [call, await outcome(call, 'ask', permissions)]),
    )
    expect(rows.length).toBeGreaterThan(15)
    expect(rows).toEqual(real)
  })

  it('leaves what docs/security.md names as gaps: when one is closed, the page has to follow', async () => {
    const rules = { deny: ['bash(rm *)'] }
    const gaps = ['my-wrapper rm', 'python3 x.py', 'make clean']
    expect(gaps.filter((gap) => !pageOf('docs/security.md').spans.some((span) => span === gap))).toEqual([])
    for (const gap of gaps) {
      expect([gap, await outcome(`\`bash ${gap}\``, 'bypass', rules)]).toEqual([gap, 'allowed'])
      expect([gap, await outcome(`\`bash ${gap}\``, 'ask', rules)]).toEqual([gap, 'asks'])
    }
  })

  it('shows rules that can be read', () => {
    const rules = table('is about').flatMap(([cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, rule]) => rule),
    )
    expect(rules.length).toBeGreaterThan(8)
    expect(compileRules({ allow: rules }).problems).toEqual([])
  })
})
