// The catalogue: what is known of all sessions without opening them. An append-only index, rebuilt where it has gaps.
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '#config/make-directory.ts'
import { systemCode } from '#json/thrown.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import { visible } from '#registry/visible.ts'
import type { LoggedEvent } from './event.ts'
import { append, placeIn } from './log.ts'
import { readSessionFile } from './read.ts'

export interface SessionSummary {
  id: string
  cwd: string
  /** cwd first. */
  roots: string[]
  title?: string
  /** ISO 8601. */
  updatedAt: string
}

/** Lines a session at which the index is written anew. */
const MAX_LINES_EACH = 8
const MIN_LINES = 1000

/** Characters of a command that stands for a title. */
const LONGEST_COMMAND = 80

export class Catalogue {
  readonly #logs: string
  readonly #path: string

  /** The folder of the logs, and the file of the index. */
  constructor(logs: string, path: string) {
    this.#logs = logs
    this.#path = path
  }

  /** Adds or renews an entry. The last one of an id counts. Rejects when the disk refuses. */
  async note(summary: SessionSummary): Promise<void> {
    const line = `${JSON.stringify(summary)}\n`
    try {
      await append(this.#path, line, { mode: 0o600 })
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
      await makeDirectory(dirname(this.#path), 0o700)
      await append(this.#path, line, { mode: 0o600 })
    }
  }

  /** All sessions whose log exists, newest first. Never rejects: what can't be read is not there. */
  async all(): Promise<SessionSummary[]> {
    const names = await readdir(this.#logs).catch(() => [])
    const ids = new Set(names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -6)))
    const { known, lines } = await this.#index()
    for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
    const missing = [...ids].filter((id) => !known.has(id))
    const found = (await Promise.all(missing.map((id) => this.#summarize(id)))).filter(
      (summary) => summary !== undefined,
    )
    for (const summary of found) known.set(summary.id, summary)
    const sorted = [...known.values()].toSorted((a, b) =>
      a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? 1 : -1,
    )
    if (found.length > 0 || lines > Math.max(MIN_LINES, known.size * MAX_LINES_EACH))
      await this.#rewrite(sorted)
    return sorted
  }

  async #index(): Promise<{ known: Map<string, SessionSummary>; lines: number }> {
    const text = await readFile(this.#path, 'utf8').catch(() => '')
    const lines = text.split('\n')
    const known = new Map<string, SessionSummary>()
    for (const line of lines) {
      const summary = decodeSummary(line)
      if (summary !== undefined) known.set(summary.id, summary)
    }
    return { known, lines: lines.length }
  }

  async #summarize(id: string): Promise<SessionSummary | undefined> {
    const path = join(this.#logs, `${id}.jsonl`)
    try {
      const [stored, file] = await Promise.all([readSessionFile(path), stat(path)])
      const { events } = stored
      const { cwd, roots } = placeIn(stored)
      const title = events.findLast((event) => event.type === 'title')?.title ?? firstCommand(events)
      return {
        id,
        cwd,
        roots,
        ...(title !== undefined && { title }),
        updatedAt: events.at(-1)?.at ?? file.mtime.toISOString(),
      }
    } catch {
      return undefined
    }
  }

  /** Best effort: a lost race loses nothing but the shortcut. */
  async #rewrite(summaries: readonly SessionSummary[]): Promise<void> {
    const text = summaries
      .toReversed()
      .map((summary) => `${JSON.stringify(summary)}\n`)
      .join('')
    try {
      await writeFile(`${this.#path}.new`, text, { mode: 0o600 })
      await rename(`${this.#path}.new`, this.#path)
    } catch {
      // The next listing tries again.
    }
  }
}

/** What a session without a prompt is listed by. */
function firstCommand(events: readonly LoggedEvent[]): string | undefined {
  const given = events.find((event) => event.type === 'command' && event.text.trim() !== '')
  if (given?.type !== 'command') return undefined
  const [line = ''] = given.text.trim().split(/[\r\n]/)
  return [...visible(line)].slice(0, LONGEST_COMMAND).join('')
}

function decodeSummary(line: string): SessionSummary | undefined {
  if (line === '') return undefined
  try {
    const value = JSON.parse(line) as JsonValue
    const usable =
      isJsonObject(value) &&
      ['id', 'cwd', 'updatedAt'].every((field) => typeof value[field] === 'string') &&
      Array.isArray(value['roots'])
    return usable ? (value as unknown as SessionSummary) : undefined
  } catch {
    return undefined
  }
}
