import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createOutputFiles } from '#workspace/output-files.ts'

it('temporary files are private, and gone afterwards', async () => {
  const files = createOutputFiles()
  expect(files.directory).toBeUndefined()
  const path = await files.save('a', 'text')
  const file = await files.create('a')
  await file.write('漢')
  await file.close()
  expect([await readFile(path, 'utf8'), await readFile(file.path, 'utf8')]).toEqual(['text', '漢'])
  expect([(await stat(path)).mode & 0o777, (await stat(dirname(path))).mode & 0o777]).toEqual([0o600, 0o700])
  await files.dispose()
  await expect(stat(dirname(path))).rejects.toThrow('ENOENT')
})

it('files in a directory that is kept stay', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'deckhand-outputs-'))
  const files = createOutputFiles(join(parent, 'session', 'files'))
  const path = await files.save('a', 'text')
  expect(files.directory).toBe(join(parent, 'session', 'files'))
  await files.dispose()
  expect(await readFile(path, 'utf8')).toBe('text')
  await rm(parent, { recursive: true })
})
