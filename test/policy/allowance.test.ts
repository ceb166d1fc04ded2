import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { matchToken, matchTokens } from '#policy/shell/tokens.ts'
import { openProject } from './harness.ts'

type Rows = readonly (readonly [line: string, kind: 'allow' | 'ask' | 'deny'])[]

async function expectAll(rules: object, rows: Rows, workdir?: string): Promise<void> {
  const { policy } = await openProject()
  const { bash } = policy(rules)
  for (const [line, kind] of rows) expect([line, (await bash(line, workdir)).kind]).toEqual([line, kind])
}

describe('wrappers', () => {
  it('need both forms allowed (B56)', async () => {
    await expectAll(
      {
        allow: [
          'bash(nohup *)',
          'bash(timeout *)',
          'bash(time *)',
          'bash(command *)',
          'bash(git add *)',
          'bash(nice ls)',
        ],
      },
      [
        ['nohup git add x', 'allow'],
        ['nohup cat a.txt', 'allow'],
        ['timeout 5 nohup git add x', 'allow'],
        ['timeout -k 1 5 git add x', 'allow'],
        ['time git add x', 'allow'],
        ['time -p git add x', 'allow'],
        ['command git add x', 'allow'],
        ['command -v anything', 'allow'],
        ['nice ls', 'allow'],
        ['nohup rm f', 'ask'],
        ['nohup', 'allow'],
        ['timeout 5 rm f', 'ask'],
        ['timeout 5 nohup rm f', 'ask'],
        ['timeout --odd 5 git add x', 'ask'],
        ['timeout $x git add x', 'ask'],
        ['time rm f', 'ask'],
        ['command rm f', 'ask'],
        ['nohup $x', 'ask'],
        ['nohup sudo git add x', 'ask'],
        ['nohup sh -c "git add x"', 'ask'],
        ['nohup cat /etc/passwd', 'ask'],
        ['nice git add x', 'ask'],
        ['nice ls -l', 'ask'],
        ['setsid git add x', 'ask'],
      ],
    )
  })

  it('are no way around a deny rule (B56)', async () => {
    await expectAll({ deny: ['bash(rm *)'], allow: ['bash(nohup *)', 'bash(*)'] }, [
      ['nohup rm f', 'deny'],
      ['timeout 5 rm f', 'deny'],
      ['env rm f', 'deny'],
      ['command rm f', 'deny'],
      ['\\rm f', 'deny'],
      ['/bin/rm f', 'deny'],
      ['nohup make', 'allow'],
    ])
  })
})

describe('each simple command is judged alone (B53)', () => {
  it('under a rule with a wildcard', async () => {
    await expectAll({ allow: ['bash(git *)'] }, [
      ['git log; touch X', 'ask'],
      ['git log && touch X', 'ask'],
      ['git log | sh', 'ask'],
      ['git log\ntouch X', 'ask'],
      ['(git log; touch X)', 'ask'],
      ['git log & touch X', 'ask'],
      ['git log; git push', 'allow'],
      ['git log $(git status)', 'allow'],
      ['git log $(touch x)', 'ask'],
      ['git commit -m "a; b" > log', 'ask'],
    ])
  })

  it('what always asks does so under bash(*) as well', async () => {
    await expectAll(
      { allow: ['bash', 'bash(*)', 'bash(eval *)', 'bash(sudo *)', 'bash(find *)', 'bash(fd *)'] },
      [
        ['anything at all | and more', 'allow'],
        ['find . -name x', 'allow'],
        ['eval x', 'ask'],
        ['sudo x', 'ask'],
        ['/usr/bin/sudo x', 'ask'],
        ['find . -delete', 'ask'],
        ['find . -exec x \\;', 'ask'],
        ['/usr/bin/find . -exec x \\;', 'ask'],
        ['fd -x touch', 'ask'],
        ['fd --exec=touch', 'ask'],
        ['X=1 x', 'ask'],
        ['bash x.sh', 'ask'],
        ['x "', 'ask'],
        ['$x', 'ask'],
        ['x > f', 'ask'],
      ],
    )
  })
})

describe('a change of directory', () => {
  it('makes relative paths and what depends on the place unknown', async () => {
    await expectAll({ allow: ['bash(cd *)', 'bash(make *)', 'edit', 'edit(/**)'] }, [
      ['cd sub', 'allow'],
      ['cd sub && make x', 'allow'],
      ['cd sub && echo x && which node', 'allow'],
      ['cd sub && cat c.txt', 'ask'],
      ['cd sub && ls', 'ask'],
      ['cd sub && git status', 'ask'],
      ['cat c.txt; (cd sub)', 'ask'],
      ['cd sub && make > log', 'ask'],
      ['cd sub && make > /dev/null', 'allow'],
      ['cd sub && make < c.txt', 'ask'],
    ])
  })

  it('takes what was remembered for simple commands away', async () => {
    const { policy, grants } = await openProject()
    await grants.add([{ kind: 'command', command: 'make', directory: '' }])
    const { bash } = policy({ allow: ['bash(cd *)'] })
    expect((await bash('make')).kind).toBe('allow')
    expect((await bash('cd sub; make')).kind).toBe('ask')
    expect((await bash('pushd sub; make')).kind).toBe('ask')
  })
})

describe('wildcards of the shell', () => {
  it('ask where a name could be taken for an option', async () => {
    await expectAll(
      {},
      [
        ['ls *', 'ask'],
        ['cat [ab].ts', 'ask'],
        ['cat ?.ts', 'ask'],
        ['cat -*', 'ask'],
        ['ls -- *', 'allow'],
        ['cat ./*', 'allow'],
        ['cat a*', 'allow'],
        ['cat nothing/*', 'allow'],
      ],
      'src',
    )
  })

  it('ask where there are too many names to look at', async () => {
    const { policy, cwd } = await openProject()
    await mkdir(join(cwd, 'many'))
    await Promise.all(
      Array.from({ length: 2001 }, (_, index) => writeFile(join(cwd, 'many', `f${index}`), '')),
    )
    expect((await policy().bash('cat many/f*')).kind).toBe('ask')
    expect((await policy().bash('cat many/f1*')).kind).toBe('allow')
  })
})

it('names that the shell takes for connections are no files', async () => {
  await expectAll({ allow: ['bash(make)', 'edit(/**)'] }, [
    ['make > /tmp/x', 'allow'],
    ['make > /dev/tcp/127.0.0.1/80', 'ask'],
    ['make < /dev/udp/127.0.0.1/80', 'ask'],
    ['make > /dev/sda', 'ask'],
  ])
})

it('tokens are matched whole (B55)', async () => {
  await expectAll({ allow: ['bash(npm test)', 'bash(npm run test:*)', 'bash(go * ./x)'] }, [
    ['npm testx', 'ask'],
    ['npm test', 'allow'],
    ['npm  test', 'allow'],
    ['npm\ttest', 'allow'],
    ['npm test x', 'ask'],
    ['npm run test:unit', 'allow'],
    ['npm run test:', 'allow'],
    ['npm run test', 'ask'],
    ['npm run test:unit x', 'ask'],
    ['npm run test:$x', 'ask'],
    ['go vet ./x', 'allow'],
    ['go a b ./x', 'ask'],
    ['go $x ./x', 'ask'],
    ['go * ./x', 'ask'],
  ])
})

it('a pattern of many wildcards is matched all the same', () => {
  expect(matchToken('*a'.repeat(500), 'a'.repeat(20_000) + 'b')).toBe(false)
  expect(matchTokens(['*a*b*', '*'], [{ kind: 'static', value: 'xaxbx' }])).toBe('yes')
})
