// Prompt files of a project: `.deckhand/commands/*.md`, with an optional head of `description` and `argument-hint`.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PromptFile } from './command.ts'

const FOLDER = join('.deckhand', 'commands')
const MAX_FILES = 100
const MAX_BYTES = 64 * 1024
const NAME = /^([A-Za-z0-9][\w:-]*)\.md$/

/** In the order of their names. What can't be read, or is too long to be a prompt, is not there. Never rejects. */
export async function readPromptFiles(cwd: string): Promise<PromptFile[]> {
  const folder = join(cwd, FOLDER)
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).toSorted()
  const files = await Promise.all(names.slice(0, MAX_FILES).map((name) => readOne(folder, name)))
  return files.filter((file) => file !== undefined)
}

async function readOne(folder: string, file: string): Promise<PromptFile | undefined> {
  const name = NAME.exec(file)?.[1]
  try {
    const path = join(folder, file)
    const { size } = await stat(path)
    if (name === undefined || size > MAX_BYTES) return undefined
    return promptFile(name, await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** A prompt file from its text; undefined when there is no prompt in it. Pure. */
export function promptFile(name: string, raw: string): PromptFile | undefined {
  const source = raw.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const head = /^---\n([^]*?)\n---(?:\n|$)/.exec(source)
  const text = (head ? source.slice(head[0].length) : source).trim()
  if (text === '') return undefined
  const field = (key: string): string | undefined =>
    new RegExp(`^${key}:[ \\t]*(\\S.*?)[ \\t]*$`, 'm')
      .exec(head?.[1] ?? '')?.[1]
      ?.replace(/^(['"])(.*)\1$/, '$2')
  const hint = field('argument-hint') ?? (text.includes('$ARGUMENTS') ? '[arguments]' : undefined)
  return {
    name,
    description: field('description') ?? firstLine(text),
    ...(hint !== undefined && { hint }),
    text,
  }
}

function firstLine(text: string): string {
  const line = (text.split('\n')[0] ?? '').replace(/^#+\s*/, '')
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line
}
