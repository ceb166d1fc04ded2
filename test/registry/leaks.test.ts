// Nothing that was disposed of, and nothing of a call that is over, is held by the registry.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('everything that was let go of is collected while the registry lives', () => {
  const script = fileURLToPath(new URL('collect.ts', import.meta.url))
  const held = execFileSync(process.execPath, ['-C', 'deckhand-source', script], { encoding: 'utf8' })
  expect(JSON.parse(held)).toEqual([])
})
