// What becomes of a stored session outside of an editor: text for a terminal, and Markdown.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foldUpdates } from '#bridge/fold.ts'
import { painter } from '#cli/draw/paint.ts'
import { drawAll } from '#cli/draw/transcript.ts'
import { conversationMarkdown } from '#cli/markdown.ts'
import { storedUpdates } from '#cli/stored-updates.ts'
import { readSessionFile } from '#session/read.ts'
import { fakeHost } from './fake-host.ts'
import { ROOT } from './run-bin.ts'

async function stored(name: string): Promise<{ text: string; markdown: string }> {
  const session = await readSessionFile(join(ROOT, `fixtures/sessions/${name}.jsonl`))
  const updates = storedUpdates(fakeHost({}), session, 'zed')
  return {
    text: drawAll({ width: 88, paint: painter('none') }, updates),
    markdown: conversationMarkdown(foldUpdates(updates), session.header),
  }
}

describe('a stored session', () => {
  it('has its notices as notices, where they came', async () => {
    const { text, markdown } = await stored('retry')
    const first = 'Trying again: Overloaded. (attempt 1, in 0.6 s)'
    expect(text).toContain(`❯ Please go on.\n\n! ${first}\n! Trying again`)
    expect(markdown).toContain(`> Please go on.\n\n> **Warning:** ${first}\n\n> **Warning:** Trying again`)
  })

  it('says where it was summarized for the model', async () => {
    const { text, markdown } = await stored('compaction')
    expect(text).toContain('⋯ the conversation was summarized for the model here\n\n❯ And now?')
    expect(markdown).toContain('*The conversation was summarized for the model here.*\n\n## And now?')
  })

  it('has changes with their context once, and no remark about line ends of pieces', async () => {
    const { markdown } = await stored('edit')
    expect(markdown).toContain('```diff\n # Notes\n \n one\n-two\n+zwei\n three\n```')
    expect(markdown).toContain('```diff\n-four\n+vier\n```')
  })

  it('has commands as commands, programs under what they do, and the plan as it was last', async () => {
    const programs = await stored('run-code')
    expect(programs.markdown).toContain('**Count and correct**\n\n```ts\nconst { paths }')
    expect(programs.markdown).toContain('```sh\necho counted\n```\n\n```console\ncounted\n```')
    expect(programs.text).toContain('│ 2 files ')
    expect((await stored('todo')).markdown).toMatch(/## The plan\n\n- \[x\] Look around\n- \[ \] Change it\n/)
  })
})
