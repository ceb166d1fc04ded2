// Writing what the person named, and saying in a sentence what kept us from it.
import { writeFile } from 'node:fs/promises'
import { systemCode } from '#json/thrown.ts'
import type { Host } from './host.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'it is a directory',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

/** Resolves with false when it could not be written; stderr says why. */
export async function writePage(host: Host, target: string, page: string): Promise<boolean> {
  try {
    await writeFile(target, page)
    return true
  } catch (error) {
    const code = systemCode(error) ?? ''
    host.stderr.write(`deckhand: ${target} can't be written: ${REASONS[code] ?? String(error)}\n`)
    return false
  }
}
