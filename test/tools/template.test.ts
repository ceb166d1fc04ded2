// The example to copy for the test of a new tool.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRegistry } from '#registry/registry.ts'
import { countLinesTool } from '#tools/_template/count-lines.ts'
import { openBench } from './harness.ts'

it('count_lines counts, refuses and presents', async () => {
  await using bench = await openBench()
  await writeFile(join(bench.cwd, 'a_b.txt'), 'one\ntwo')
  const registry = createRegistry()
  registry.register(countLinesTool(bench.workspace))
  const call = { callId: 'c', name: 'count_lines', signal: new AbortController().signal }
  const result = await registry.execute({ ...call, arguments: { file_path: 'a_b.txt' } })
  expect(result).toMatchObject({
    isError: false,
    value: { lines: 2 },
    content: [{ text: 'a_b.txt has 2 lines.' }],
  })
  const missing = await registry.execute({ ...call, arguments: { file_path: 'no' } })
  expect(missing).toMatchObject({ isError: true, error: { info: { code: 'FS_NOT_FOUND' } } })
  const tool = registry.get('count_lines')
  expect(tool?.presentCall?.({ file_path: 'a_b.txt' })).toMatchObject({ title: 'Count lines of `a_b.txt`' })
  expect(
    tool?.presentResult?.({ file_path: 'a_b.txt' }, { content: [], isError: false, meta: { lines: 2 } }),
  ).toEqual({
    card: 'generic',
    title: '`a_b.txt`: 2 lines',
  })
})
