import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { confineChanges } from '#workspace/confined-files.ts'
import { createFileSystem } from '#workspace/file-system.ts'
import { historyFiles } from '#workspace/history-files.ts'
import { createObservations, versionOf } from '#workspace/observations.ts'

let cwd: string
beforeEach(async () => void (cwd = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-history-')))))
afterEach(() => rm(cwd, { recursive: true, force: true }))

const GERMAN = 'Die Straße führt über die Brücke.\nGröße und Übung machen den Meister.\n'

it.each([
  ['UTF-8', Buffer.from('a 漢\r\n')],
  ['marked UTF-8', Buffer.from('\uFEFFa\n')],
  ['UTF-16', Buffer.from('\uFEFFa 漢\n', 'utf16le')],
  ['Latin-1', iconv.encode(GERMAN, 'latin1')],
])('%s comes back byte for byte', async (_name, before) => {
  const observations = createObservations()
  const history = historyFiles({ files: createFileSystem(), observations })
  const path = join(cwd, 'f')
  await writeFile(path, before)
  const kept = await history.read(path)
  await writeFile(path, Buffer.concat([before, before]))
  const version = await history.restore(path, kept?.text ?? null)
  expect(await readFile(path)).toEqual(before)
  expect([version, observations.see(path)?.version]).toEqual([versionOf(before), versionOf(before)])
  expect(await history.restore(path, null)).toBeUndefined()
  expect([await history.read(path), observations.see(path)]).toEqual([null, undefined])
})

it('takes no file away that lies outside behind a link', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'deckhand-history-'))
  await writeFile(join(outside, 'f'), 'theirs')
  await symlink(outside, join(cwd, 'sub'))
  const files = confineChanges(createFileSystem(), async (path) => path.startsWith(`${cwd}/`))
  const history = historyFiles({ files, observations: createObservations() })
  await expect(history.restore(join(cwd, 'sub', 'f'), null)).rejects.toMatchObject({ code: 'EACCES' })
  expect(await readFile(join(outside, 'f'), 'utf8')).toBe('theirs')
  await rm(outside, { recursive: true })
})
