// The file tools' errors: what went wrong with a path, and what to do next.
import { systemCode, thrownMessage } from '#json/thrown.ts'
import { ToolError } from '#registry/errors.ts'
import { ReadOnlyFileError } from '#workspace/atomic-write.ts'

export type FsErrorCode =
  | 'FS_NOT_FOUND'
  | 'FS_NOT_REGULAR_FILE'
  | 'FS_NOT_TEXT'
  | 'FS_NOT_ENCODABLE'
  | 'FS_EXISTS'
  | 'FS_NOT_EMPTY'
  | 'FS_INVALID_MOVE'
  | 'FS_ROOT'
  | 'FS_TOO_LARGE'
  | 'FS_NOT_OBSERVED'
  | 'FS_STALE_VERSION'
  | 'FS_EDIT_NOT_FOUND'
  | 'FS_AMBIGUOUS_EDIT'
  | 'FS_READ_ONLY'
  | 'FS_ACCESS_DENIED'
  | 'FS_IO'

export function fsError(code: FsErrorCode, message: string, cause?: unknown): ToolError {
  return new ToolError(code, message, { cause })
}

export function notRegularFile(path: string, kind: 'directory' | 'other'): ToolError {
  return kind === 'directory'
    ? fsError('FS_NOT_REGULAR_FILE', `${path} is a directory; use glob to list what is in it`)
    : fsError('FS_NOT_REGULAR_FILE', `${path} is not a regular file`)
}

export function notText(path: string): ToolError {
  return fsError(
    'FS_NOT_TEXT',
    `${path} is binary, or text in an encoding that is not certain; use bash with a program that knows its format`,
  )
}

export function notFound(path: string, hint: string): ToolError {
  return fsError('FS_NOT_FOUND', `${path} does not exist; ${hint}`)
}

/** Runs an operation on `path`; a failure of the system becomes a `ToolError`. */
export async function guarded<T>(path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    throw asToolError(path, error)
  }
}

function asToolError(path: string, error: unknown): unknown {
  if (error instanceof ToolError) return error
  if (error instanceof ReadOnlyFileError) {
    return fsError(
      'FS_READ_ONLY',
      `${path} is read-only and was left alone; change its mode first if that is wanted`,
      error,
    )
  }
  const code = systemCode(error)
  if (code === 'ABORT_ERR')
    return new ToolError('ABORTED', `cancelled while working on ${path}`, { cause: error })
  if (code === 'ENOENT') return notFound(path, 'check the path with glob')
  if (code === 'EACCES' || code === 'EPERM')
    return fsError('FS_ACCESS_DENIED', `no permission to access ${path}`, error)
  if (code === 'EROFS') return fsError('FS_READ_ONLY', `${path} is on a read-only file system`, error)
  if (code === 'ENOTDIR')
    return fsError('FS_NOT_FOUND', `a parent of ${path} is a file, not a directory`, error)
  // The editor's text and the disk have parted; the message says what to do.
  if (code === 'ESTALE') return fsError('FS_STALE_VERSION', thrownMessage(error), error)
  if (code === 'EEXIST') return fsError('FS_EXISTS', `${path} exists already`, error)
  if (code === 'ENOTEMPTY') return fsError('FS_NOT_EMPTY', `${path} is not empty`, error)
  if (code === 'EISDIR') return notRegularFile(path, 'directory')
  return fsError('FS_IO', `working on ${path} failed: ${thrownMessage(error)}`, error)
}
