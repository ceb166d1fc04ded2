// Project instructions: what AGENTS.md files and the repository say about the place, for the system prompt.
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { cutBytes } from './text.ts'

/** Bytes of instructions in all; the files nearest to the working directory matter most and are kept first. */
const MAX_BYTES = 32 * 1024
/** The first that exists in a directory is used. */
const NAMES = ['AGENTS.md', 'CLAUDE.md']

/**
 * Each file named: the `extra` ones (absolute), then from the project's root to the working directory. Empty where there
 * is nothing. Never rejects.
 */
export async function readInstructions(cwd: string, extra: readonly string[] = []): Promise<string> {
  const { directories, branch } = await projectOf(cwd)
  const found: string[] = []
  let left = MAX_BYTES
  const sources = [...directories.map(firstOf), ...extra.toReversed().map(readNamed)]
  for (const file of await Promise.all(sources)) {
    if (file === undefined || left === 0) continue
    const text = cutBytes(file.text, left)
    left -= Buffer.byteLength(text)
    const note = text.length < file.text.length ? '\n(cut: the instructions are longer than 32 KiB)' : ''
    found.unshift(`Instructions from ${file.path}:\n\n${text.trim()}${note}`)
  }
  return [
    ...(branch === undefined ? [] : [`Git branch at the start of this turn: ${branch}`]),
    ...found,
  ].join('\n\n')
}

/** The directories from cwd up to the repository's root (cwd alone outside of one), and its branch. */
async function projectOf(cwd: string): Promise<{ directories: string[]; branch: string | undefined }> {
  const directories: string[] = []
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    directories.push(directory)
    const head = await readFile(join(directory, '.git', 'HEAD'), 'utf8').catch(() => undefined)
    if (head !== undefined) return { directories, branch: /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] }
    if (dirname(directory) === directory) return { directories: [resolve(cwd)], branch: undefined }
  }
}

type Instructions = { path: string; text: string } | undefined

async function firstOf(directory: string): Promise<Instructions> {
  for (const name of NAMES) {
    const found = await readNamed(join(directory, name))
    if (found !== undefined) return found
  }
  return undefined
}

async function readNamed(path: string): Promise<Instructions> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined || text.trim() === '' ? undefined : { path, text }
}
