import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './run-bin.ts'

describe('the README', () => {
  const readme = () => readFileSync(join(ROOT, 'README.md'), 'utf8')

  it('shows the two commands for a fresh machine', () => {
    expect(readme()).toContain('npm ci && npm run demo')
    expect(readme()).toContain('npm ci && npm test')
  })

  it('names scripts and commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const text = readme() + readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '')
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it('has snippets that parse', () => {
    const snippets = [...readme().matchAll(/```json\n([\s\S]*?)```/g)].map(
      (match) => JSON.parse(match[1] ?? '') as object,
    )
    expect(snippets).toHaveLength(2)
    for (const snippet of snippets)
      expect(snippet).toMatchObject({
        agent_servers: { Deckhand: { args: [expect.stringContaining('bin/deckhand.js'), 'acp'] } },
      })
  })
})
