// File history: what this session has changed, and how it is put back, from the snapshots in its log.
import type { SessionEvent } from '#session/event.ts'
import type { FileChange } from './port.ts'

/** Access to the session's files; paths are real and absolute. */
export interface HistoryFiles {
  /** null when there is no file. */
  read(path: string): Promise<{ text: string; version: string } | null>
  /** Writes the text, or removes the file for null; the version of what is there then. */
  restore(path: string, text: string | null): Promise<string | undefined>
}

/** Every file that the session touched, as it was first and as it is now. */
export async function sessionChanges(
  events: readonly SessionEvent[],
  files: HistoryFiles,
): Promise<FileChange[]> {
  const changes: FileChange[] = []
  for (const [path, before] of firstSnapshots(events)) {
    const after = (await files.read(path))?.text ?? null
    if (after !== before) changes.push({ path, before, after })
  }
  return changes
}

/** What a rewind needs of a session. */
interface Rewindable {
  history(): readonly SessionEvent[]
  record(event: SessionEvent): void
}

/** Undoes the newest turns that changed files, and logs that it did. */
export async function rewindTurns(
  session: Rewindable,
  turns: number,
  files: HistoryFiles,
): Promise<{ undone: FileChange[]; skipped: string[] }> {
  const turnIds = turnsToRewind(session.history(), turns)
  const { undone, skipped } = await rewindFiles(session.history(), turnIds, files)
  for (const { path, version } of undone) {
    if (version !== undefined) session.record({ type: 'observed', path, version, lines: 'all' })
  }
  if (turnIds.length > 0) session.record({ type: 'rewound', turnIds, paths: undone.map(({ path }) => path) })
  return { undone: undone.map(({ path, before, after }) => ({ path, before, after })), skipped }
}

/** The newest `count` turns that changed files and were not undone yet. */
function turnsToRewind(events: readonly SessionEvent[], count: number): string[] {
  const undone = new Set(events.flatMap((event) => (event.type === 'rewound' ? event.turnIds : [])))
  const changed = new Set(events.flatMap((event) => (event.type === 'snapshot' ? [event.turnId] : [])))
  return [...changed].filter((turnId) => !undone.has(turnId)).slice(-count)
}

interface Rewound {
  undone: (FileChange & { version: string | undefined })[]
  /** Files that somebody else has changed since. */
  skipped: string[]
}

/** Puts the files of these turns back. Files that are not as the session left them stay. */
async function rewindFiles(
  events: readonly SessionEvent[],
  turnIds: readonly string[],
  files: HistoryFiles,
): Promise<Rewound> {
  const undone: Rewound['undone'] = []
  const skipped: string[] = []
  for (const [path, before] of firstSnapshots(events, new Set(turnIds))) {
    const now = await files.read(path)
    // Where nothing is, nothing can be lost.
    if (now !== null && now.version !== leftVersion(events, path)) {
      skipped.push(path)
      continue
    }
    const after = now?.text ?? null
    if (after === before) continue
    try {
      undone.push({ path, before: after, after: before, version: await files.restore(path, before) })
    } catch {
      // What can't be put back is told, and costs no other file.
      skipped.push(path)
    }
  }
  return { undone, skipped }
}

/** What a rewind of the newest turns that changed files goes back to, by path; null is no file. */
export function rewindTargets(events: readonly SessionEvent[], turns: number): Map<string, string | null> {
  return firstSnapshots(events, new Set(turnsToRewind(events, turns)))
}

/** What these turns, or the whole session, found in each file that they changed; null is no file. */
export function firstSnapshots(
  events: readonly SessionEvent[],
  turnIds?: ReadonlySet<string>,
): Map<string, string | null> {
  const first = new Map<string, string | null>()
  for (const event of events) {
    if (event.type !== 'snapshot' || (turnIds !== undefined && !turnIds.has(event.turnId))) continue
    if (!first.has(event.path)) first.set(event.path, event.before)
  }
  return first
}

/** The version that the session saw, wrote or put there last. */
function leftVersion(events: readonly SessionEvent[], path: string): string | undefined {
  const last = events.findLast(
    (event) =>
      (event.type === 'observed' || (event.type === 'snapshot' && event.left !== undefined)) &&
      event.path === path,
  )
  if (last?.type === 'observed') return last.version
  return last?.type === 'snapshot' ? last.left : undefined
}
