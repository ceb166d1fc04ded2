// The editor's text files: which session has an editor that reads and writes them, and asking it in bounded time.
import { methods, RequestError, type AgentContext } from '@agentclientprotocol/sdk'
import { systemClock, type Clock } from '#bridge/pacing/clock.ts'
import type { ClientProfile } from './profile.ts'

/** Milliseconds after which a read falls back to the disk, and a write is given up. */
export const READ_MS = 1000
export const WRITE_MS = 10_000

/** What an editor answers. `failed`: it refused; `silent`: no answer in time, or none can come any more. */
export type EditorAnswer<T> = { kind: 'ok'; value: T } | { kind: 'failed' } | { kind: 'silent' }

/** One session's editor. Neither method rejects. */
export interface Editor {
  readonly reads: boolean
  readonly writes: boolean
  read(path: string): Promise<EditorAnswer<string>>
  write(path: string, content: string): Promise<EditorAnswer<void>>
}

export interface EditorFiles {
  /** The editor of a session, while one is attached. */
  editor(sessionId: string): Editor | undefined
  /** The client of a session, until the returned function is called. */
  attach(
    sessionId: string,
    client: AgentContext,
    profile: Pick<ClientProfile, 'fsRead' | 'fsWrite'>,
  ): () => void
}

export function createEditorFiles(clock: Clock = systemClock): EditorFiles {
  const editors = new Map<string, Editor>()
  return {
    editor: (sessionId) => editors.get(sessionId),
    attach(sessionId, client, profile) {
      const editor = editorOf(sessionId, client, profile, clock)
      editors.set(sessionId, editor)
      return () => {
        if (editors.get(sessionId) === editor) editors.delete(sessionId)
      }
    },
  }
}

function editorOf(
  sessionId: string,
  client: AgentContext,
  { fsRead, fsWrite }: Pick<ClientProfile, 'fsRead' | 'fsWrite'>,
  clock: Clock,
): Editor {
  const { readTextFile, writeTextFile } = methods.client.fs
  return {
    reads: fsRead,
    writes: fsWrite,
    read: (path) =>
      inTime(clock, READ_MS, async (cancellationSignal) => {
        const init = { cancellationSignal, stopWaitingOnCancel: true }
        const { content } = await client.request(readTextFile, { sessionId, path }, init)
        if (typeof content !== 'string') throw RequestError.internalError()
        return content
      }),
    write: (path, content) =>
      inTime(clock, WRITE_MS, async (cancellationSignal) => {
        const init = { cancellationSignal, stopWaitingOnCancel: true }
        await client.request(writeTextFile, { sessionId, path, content }, init)
      }),
  }
}

async function inTime<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<EditorAnswer<T>> {
  const late = new AbortController()
  const stop = clock.after(ms, () => late.abort())
  try {
    return { kind: 'ok', value: await work(late.signal) }
  } catch (error) {
    const answered = error instanceof RequestError && !late.signal.aborted
    return { kind: answered ? 'failed' : 'silent' }
  } finally {
    stop()
  }
}
