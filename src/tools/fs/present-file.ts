// The file that a change is about, as it is now, and whether this session may change it.
import type { ToolError } from '#registry/errors.ts'
import { seesWhole, type SeenFile, versionOf } from '#workspace/observations.ts'
import { decodeText, type DecodedText } from '#workspace/encoding.ts'
import { countLines } from '#workspace/text.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { fsError, notRegularFile, notText } from './failure.ts'

export interface PresentFile extends DecodedText {
  /** As the call named it. */
  path: string
  realPath: string
  version: string
}

/** Bytes of a file that can be changed. */
const MAX_CHANGED = 256 * 1024 * 1024

/** `undefined` when nothing is there. Throws a `ToolError` for what is no text file. */
export async function presentFile(workspace: Workspace, path: string): Promise<PresentFile | undefined> {
  const absolute = workspace.resolve(path)
  const stat = await workspace.files.stat(absolute)
  if (!stat) return undefined
  if (stat.kind !== 'file') throw notRegularFile(path, stat.kind)
  if (stat.size > MAX_CHANGED)
    throw fsError('FS_TOO_LARGE', `${path} has more than 256 MiB; change it with bash`)
  const realPath = await workspace.files.realPath(absolute)
  const bytes = await workspace.files.read(realPath)
  const decoded = await decodeText(bytes)
  if (!decoded) throw notText(path)
  return { path, realPath, version: versionOf(bytes), ...decoded }
}

/** Throws unless this version of the file has been seen: any part of it, or all. */
export function requireSeen(workspace: Workspace, file: PresentFile, need: 'part' | 'whole'): void {
  const seen = workspace.observations.see(file.realPath)
  if (!seen)
    throw notObserved(`${file.path} has not been read in this session; read it first, then try again`)
  if (seen.version !== file.version) {
    throw fsError(
      'FS_STALE_VERSION',
      `${file.path} has changed since it was last read; read it again, then try again`,
    )
  }
  if (need === 'part' || seesWhole(seen, countLines(file.text))) return
  const next = `read it with offset ${firstUnseen(seen)}, then try again`
  throw notObserved(`only part of ${file.path} has been read, and this change needs all of it; ${next}`)
}

function notObserved(message: string): ToolError {
  return fsError('FS_NOT_OBSERVED', message)
}

function firstUnseen({ lines }: SeenFile): number {
  if (lines === 'all') return 1
  const [first] = lines
  return first && first[0] <= 1 ? first[1] + 1 : 1
}
