import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#json/value.ts'
import { describe as describeGrant } from '#policy/grants.ts'
import type { PreToolDecision } from '#registry/types.ts'
import { openProject, type Policy } from './harness.ts'

const labelOf = (decision: PreToolDecision) =>
  decision.kind === 'ask' ? decision.grant?.label : decision.kind

/** Answers "always", and gives the label. */
async function always(decision: PreToolDecision): Promise<string> {
  if (decision.kind !== 'ask' || decision.grant === undefined)
    throw new Error(`nothing to remember: ${JSON.stringify(decision)}`)
  await decision.grant.remember()
  return decision.grant.label
}

describe('a command that is always allowed', () => {
  it('is not asked again, redirection included (B61)', async () => {
    const { policy, cwd } = await openProject()
    const { bash } = policy()
    const line = `echo hi > ${cwd}/o && cat ${cwd}/o`
    expect(await always(await bash(line))).toBe(`Always allow \`echo hi > ${cwd}/o\` in this project`)
    expect(await bash(line)).toEqual({ kind: 'allow' })
    expect(await bash(line)).toEqual({ kind: 'allow' })
    expect(await bash(`echo hi > ${cwd}/p`)).toMatchObject({ kind: 'ask' })
    expect(await bash(`echo ho > ${cwd}/o`)).toMatchObject({ kind: 'ask' })
    expect(await bash(`echo hi >> ${cwd}/o`)).toMatchObject({ kind: 'ask' })
  })

  it('is these words and no others', async () => {
    const { policy } = await openProject()
    const { bash } = policy()
    expect(await always(await bash('npm test'))).toBe('Always allow `npm test` in this project')
    for (const same of [
      'npm test',
      ' npm  test ',
      "'npm' test",
      'npm test 2>&1',
      'npm test | tail -5',
      'npm test > /dev/null',
      'npm test && git status',
    ]) {
      expect([same, await bash(same)]).toEqual([same, { kind: 'allow' }])
    }
    for (const other of [
      'npm testx',
      'npm test x',
      'npm',
      'X=1 npm test',
      'npm test > x',
      './npm test',
      'npm test; make',
      'npm test $x',
      'npm() { make; }; npm test',
      'cd sub; npm test',
      'sudo npm test',
    ]) {
      expect([other, (await bash(other)).kind]).toEqual([other, 'ask'])
    }
  })

  it('is only what nothing else allows, and all of that', async () => {
    const { policy } = await openProject()
    const { bash } = policy({ allow: ['bash(git add *)'] })
    const line = 'git add . && make build && ls && make test | tail -1 && make build'
    expect(await always(await bash(line))).toBe('Always allow `make build` and `make test` in this project')
    expect(await bash('make test')).toEqual({ kind: 'allow' })
    expect(await bash(line)).toEqual({ kind: 'allow' })
  })

  it('is allowed behind its wrapper when it was granted so', async () => {
    const { policy } = await openProject()
    const { bash } = policy()
    expect(await always(await bash('timeout 60 npm test'))).toBe(
      'Always allow `timeout 60 npm test` in this project',
    )
    expect(await bash('timeout 60 npm test')).toEqual({ kind: 'allow' })
    expect((await bash('npm test')).kind).toBe('ask')
    expect((await bash('timeout 61 npm test')).kind).toBe('ask')
  })

  it('shows quotes and wildcards as they are', async () => {
    const { policy } = await openProject()
    const { bash } = policy()
    expect(await always(await bash('make "a b" src/*.ts'))).toBe(
      "Always allow `make 'a b' src/*.ts` in this project",
    )
    expect(await bash("make 'a b' src/*.ts")).toEqual({ kind: 'allow' })
    expect((await bash('make a b src/*.ts')).kind).toBe('ask')
    expect((await bash("make 'a b' 'src/*.ts'")).kind).toBe('ask')
    expect(await always(await bash('make `true`'))).toBe(
      'Always allow exactly `` make `true` `` in this project',
    )
  })

  it('belongs to the directory that it ran in', async () => {
    const { policy } = await openProject()
    const { bash } = policy()
    expect(await always(await bash('make', 'sub'))).toBe('Always allow `make` in `sub` of this project')
    expect(await bash('make', './sub/')).toEqual({ kind: 'allow' })
    expect((await bash('make')).kind).toBe('ask')
    expect((await bash('make', 'src')).kind).toBe('ask')
  })

  it('is the whole line where its commands depend on each other', async () => {
    const { policy } = await openProject()
    const { bash } = policy()
    const line = 'cd sub && make'
    expect(await always(await bash(line))).toBe('Always allow exactly `cd sub && make` in this project')
    expect(await bash(line)).toEqual({ kind: 'allow' })
    expect((await bash('make')).kind).toBe('ask')
    expect((await bash('cd sub')).kind).toBe('ask')
    expect((await bash('cd  sub && make; make')).kind).toBe('ask')
    expect(await always(await bash('for f in a b; do make $f; done'))).toContain('exactly')
    expect((await bash('for f in a b c; do make $f; done')).kind).toBe('ask')
  })

  it('does not let a redirection follow a link that was changed since', async () => {
    const { policy, cwd, outside } = await openProject()
    const { bash } = policy()
    await always(await bash('make > log'))
    expect(await bash('make > log')).toEqual({ kind: 'allow' })
    await symlink(join(outside, 'secret'), join(cwd, 'log'))
    expect(await bash('make > log')).toMatchObject({ kind: 'ask' })
  })

  it.each([
    'eval make',
    'X=1 make',
    'sudo make',
    'bash -c make',
    'make "',
    'make > ../x',
    'make > link-out',
    'make > .git/x',
    'make > $x',
    'cat /etc/passwd',
    'cat link-out',
    'rm /etc/x',
    'make --out=/etc/x',
    'make ../x',
    'make ~/x',
    'cd .. && make',
    'cd && make',
    'cd - && make',
    'cd $x && make',
    'make <<E\nx\nE',
    "make 'a\nb'",
    'make\r',
    `make ${'x'.repeat(300)}`,
    '$x',
    'make() { x; }; make',
    'make < /etc/passwd',
  ])('%j is asked without a way to remember it', async (line) => {
    const { policy } = await openProject()
    const decision = await policy().bash(line)
    expect([line, decision.kind, labelOf(decision)]).toEqual([line, 'ask', undefined])
  })
})

describe('what is always allowed of other tools', () => {
  const CASES: [string, string, JsonValue, string | undefined, JsonValue, JsonValue][] = [
    [
      'edit',
      'edit',
      { file_path: 'src/a.ts' },
      'Always allow `edit` for all files of this project',
      { file_path: 'a.txt' },
      { file_path: '.git/config' },
    ],
    [
      'write',
      'write',
      { file_path: 'new/x' },
      'Always allow `write` for all files of this project',
      { file_path: 'b.txt' },
      { file_path: '../x' },
    ],
    [
      'MCP',
      'mcp__github__issue',
      {},
      'Always allow the tool `mcp__github__issue` in this project',
      { a: 1 },
      null,
    ],
    [
      'web_fetch',
      'web_fetch',
      { url: 'https://Example.com/a' },
      'Always allow loading from `example.com` in this project',
      { url: 'http://example.com/b' },
      { url: 'https://example.com.evil.org' },
    ],
    [
      'web_search',
      'web_search',
      { query: 'x' },
      'Always allow the tool `web_search` in this project',
      { query: 'y' },
      null,
    ],
  ]

  it.each(CASES)('%s', async (_what, tool, args, label, covered, uncovered) => {
    const { policy } = await openProject()
    const { call } = policy()
    expect(await always(await call(tool, args))).toBe(label)
    expect(await call(tool, covered)).toEqual({ kind: 'allow' })
    if (uncovered !== null) expect((await call(tool, uncovered)).kind).toBe('ask')
    for (const other of ['edit', 'write', 'delete', 'mcp__github__other', 'web_fetch'].filter(
      (name) => name !== tool,
    )) {
      expect([
        other,
        (await call(other, { file_path: 'a.txt', path: 'a.txt', url: 'https://x.org' })).kind,
      ]).toEqual([other, 'ask'])
    }
    expect((await policy({ deny: [tool] }).call(tool, covered)).kind).toBe('deny')
    expect((await policy({ ask: [tool] }).call(tool, covered)).kind).toBe('ask')
    if (tool === 'edit' || tool === 'write')
      expect((await policy({}, 'plan').call(tool, covered)).kind).toBe('deny')
  })

  it('a deletion is for one file, a move never', async () => {
    const { policy, cwd } = await openProject()
    const { call } = policy()
    expect(await always(await call('delete', { path: 'a.txt' }))).toBe(
      `Always allow \`delete\` for \`${join(cwd, 'a.txt')}\` in this project`,
    )
    expect(await call('delete', { path: 'a.txt' })).toEqual({ kind: 'allow' })
    expect((await call('delete', { path: 'b.txt' })).kind).toBe('ask')
    expect(labelOf(await call('delete', { path: 'src', recursive: true }))).toBeUndefined()
    expect(labelOf(await call('move', { from: 'a.txt', to: 'c.txt' }))).toBeUndefined()
  })

  it.each([
    ['edit', { file_path: '../x' }],
    ['edit', { file_path: '.git/config' }],
    ['read', { file_path: '/etc/passwd' }],
    ['web_fetch', { url: 'nothing' }],
    ['edit', {}],
  ] as [string, JsonValue][])('%s %j can not be remembered', async (tool, args) => {
    const { policy } = await openProject()
    expect(labelOf(await policy().call(tool, args))).toBeUndefined()
  })

  it('names with odd characters are shown, and mean one file', async () => {
    const { policy, cwd } = await openProject()
    const { call } = policy()
    const names = [
      'a\u202egnp.exe',
      'a\nb',
      'a`b',
      '*',
      'a*',
      "it's",
      '\u001b[2K',
      'é',
      'e\u0301',
      '漢 字',
      '-rf',
      '$(x)',
      '"',
    ]
    for (const name of names) await writeFile(join(cwd, name), '')
    for (const [index, name] of names.entries()) {
      const label = await always(await call('delete', { path: name }))
      expect(label).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/)
      for (const [other, path] of names.entries())
        expect([name, path, (await call('delete', { path })).kind]).toEqual([
          name,
          path,
          other <= index ? 'allow' : 'ask',
        ])
    }
    expect(await call('delete', { path: 'a.txt' })).toMatchObject({ kind: 'ask' })
  })

  it('another directory of the session is not the project', async () => {
    const { policy } = await openProject('other')
    const { call } = policy()
    expect(await always(await call('edit', { file_path: 'a.txt' }))).toContain('of this project')
    expect(await always(await call('edit', { file_path: '../other/x' }))).toMatch(
      /for `.*other\/x` in this project/,
    )
    expect((await call('edit', { file_path: '../other/y' })).kind).toBe('ask')
    expect(labelOf(await policy().bash('make', '../other'))).toBeUndefined()
  })
})

describe('remembered grants', () => {
  const remember = async ({ bash }: Policy, ...lines: string[]) => {
    for (const line of lines) await always(await bash(line))
  }

  it('are listed and revoked', async () => {
    const { policy, grants } = await openProject()
    const { bash } = policy()
    await remember(policy(), 'make', 'npm test')
    const listed = await grants.list()
    expect(listed.map(({ entry }) => describeGrant([entry]))).toEqual([
      '`make` in this project',
      '`npm test` in this project',
    ])
    expect(await grants.revoke(listed[0]!.id)).toBe(true)
    expect(await grants.revoke(listed[0]!.id)).toBe(false)
    expect((await bash('make')).kind).toBe('ask')
    expect(await bash('npm test')).toEqual({ kind: 'allow' })
  })

  it('belong to the real project', async () => {
    const { policy, cwd } = await openProject()
    await remember(policy(), 'make')
    await rename(cwd, `${cwd}-moved`)
    await symlink(`${cwd}-moved`, cwd)
    expect((await policy().bash('make')).kind).toBe('ask')
  })

  it('are kept when many are added at once', async () => {
    const { grants } = await openProject()
    const commands = Array.from({ length: 30 }, (_, index) => `make ${index}`)
    await Promise.all(commands.map((command) => grants.add([{ kind: 'command', command, directory: '' }])))
    expect(
      (await grants.list()).map(({ entry }) => (entry.kind === 'command' ? entry.command : '')).toSorted(),
    ).toEqual(commands.toSorted())
  })

  it.each([
    '',
    '{',
    '[]',
    '{"version":2,"grants":[]}',
    '{"version":1,"project":"/elsewhere","grants":[]}',
    'null',
    '{"version":1,"project":"<p>","grants":[{"entry":{"kind":"command","command":"make","directory":""}},{"entry":{"kind":"everything"}}]}',
  ])('a damaged file holds none, and says so: %s', async (text) => {
    const { policy, grants, cwd, state, logged } = await openProject()
    await remember(policy(), 'make')
    const [file = ''] = await readdir(join(state, 'grants'))
    await writeFile(join(state, 'grants', file), text.replace('<p>', cwd))
    expect((await policy().bash('make')).kind).toBe('ask')
    expect(logged.join()).toContain('damaged')
    expect(await grants.list()).toEqual([])
    await remember(policy(), 'make')
    expect(await policy().bash('make')).toEqual({ kind: 'allow' })
  })

  it('are refused where the project holds the state directory', async () => {
    const { policy, cwd, state } = await openProject()
    await rm(state, { recursive: true })
    await mkdir(join(cwd, 'state'))
    await symlink(join(cwd, 'state'), state)
    expect(labelOf(await policy().bash('make'))).toBeUndefined()
  })
})
