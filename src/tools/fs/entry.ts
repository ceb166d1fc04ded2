// An entry that is to be deleted or moved: where it really is, and what would be lost with it.
import { basename, dirname, join } from 'node:path'
import type { ToolRunContext } from '#registry/types.ts'
import { decodeText, type DecodedText } from '#workspace/encoding.ts'
import { versionOf } from '#workspace/observations.ts'
import { contains } from '#workspace/path-inside.ts'
import type { Entry } from '#workspace/removal.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { reportSnapshot } from './change.ts'
import { fsError, notFound } from './failure.ts'

export interface FoundEntry extends Entry {
  /** As the call named it. */
  path: string
  /** The entry itself: links in the directories above it resolved, its own not. */
  place: string
}

/** Entries of a tree that are looked at. */
export const MOST_ENTRIES = 10_000
/** Bytes of a text that is shown or kept. */
const MAX_TEXT = 1024 * 1024
const MAX_KEPT = 8 * 1024 * 1024

/** Throws when nothing is there, or when it is a directory that the session works in. */
export async function findEntry(workspace: Workspace, path: string): Promise<FoundEntry> {
  const place = await placeOf(workspace, path)
  const entry = await workspace.files.entry(place)
  if (!entry) throw notFound(path, 'check the path with glob')
  const roots = await Promise.all(
    [workspace.cwd, ...workspace.roots].map((root) => workspace.files.realPath(root)),
  )
  if (roots.some((root) => contains(place, root))) {
    throw fsError('FS_ROOT', `${path} holds the working directory of this session and is left alone`)
  }
  return { path, place, ...entry }
}

/** Where a path's entry is or would be. */
export async function placeOf(workspace: Workspace, path: string): Promise<string> {
  const absolute = workspace.resolve(path)
  return join(await workspace.files.realPath(dirname(absolute)), basename(absolute))
}

/** The text of a file that is small enough to be shown, and its version; `undefined` for everything else. */
export async function textAt(
  workspace: Workspace,
  { place, kind, size }: FoundEntry,
): Promise<(DecodedText & { version: string }) | undefined> {
  if (kind !== 'file' || size > MAX_TEXT) return undefined
  const bytes = await workspace.files.read(place)
  const text = await decodeText(bytes)
  return text && { ...text, version: versionOf(bytes) }
}

/**
 * Reports snapshots of the text files of an entry that `wanted` takes, up to 8 MiB in all; gives their places and
 * versions. Only UTF-8: where the file is gone, nothing tells in which other encoding to put it back.
 */
export async function reportSnapshots(
  workspace: Workspace,
  exec: ToolRunContext,
  entry: FoundEntry,
  wanted: (places: readonly string[]) => readonly string[] = (places) => places,
): Promise<{ place: string; version: string }[]> {
  const kept: { place: string; version: string }[] = []
  let left = MAX_KEPT
  for (const place of wanted(await textPlaces(workspace, entry))) {
    const found = await workspace.files.entry(place)
    if (!found || found.size > left) continue
    const text = await textAt(workspace, { path: place, place, ...found })
    if (text?.encoding.name !== 'utf-8') continue
    left -= found.size
    kept.push({ place, version: text.version })
    await reportSnapshot(exec, place, text)
  }
  return kept
}

async function textPlaces(workspace: Workspace, { kind, place }: FoundEntry): Promise<string[]> {
  if (kind !== 'directory') return [place]
  const below = await workspace.files.below(place, MOST_ENTRIES)
  return below.filter((found) => found.kind === 'file').map(({ path }) => path)
}
