// The package as npm packs it from the built tree, and that package in an empty directory.
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../cli/run-bin.ts'
import { npm } from './npm.ts'

export interface Tarball {
  /** Holds nothing but the tarball; for `remove` to take away. */
  directory: string
  path: string
  files: string[]
  /** Bytes. */
  unpackedSize: number
  remove(): Promise<void>
}

/** Packs what is built; builds nothing. */
export async function pack(): Promise<Tarball> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'deckhand pack ')))
  const output = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', directory], {
    cwd: ROOT,
  })
  const [{ filename, files, unpackedSize }] = JSON.parse(output) as [
    { filename: string; unpackedSize: number; files: { path: string }[] },
  ]
  return {
    directory,
    path: join(directory, filename),
    files: files.map(({ path }) => path),
    unpackedSize,
    remove: () => rm(directory, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** Installs it the way a person does, without scripts, into a project that has nothing else. Returns the project. */
export async function install({ directory, path }: Tarball): Promise<string> {
  const project = await mkdtemp(join(directory, 'project '))
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(['install', '--ignore-scripts', path], { cwd: project })
  return project
}
