// The files of a session as its history sees them: text by path, put back as they were.
import { rm } from 'node:fs/promises'
import { versionOf } from './observations.ts'
import type { Workspace } from './workspace.ts'

/** `read` gives null where there is no file; `restore` removes the file for null. Paths are real and absolute. */
export function historyFiles({ files, observations }: Workspace): {
  read(path: string): Promise<{ text: string; version: string } | null>
  restore(path: string, text: string | null): Promise<string | undefined>
} {
  return {
    async read(path) {
      const found = await files.stat(path)
      if (found?.kind !== 'file') return null
      const bytes = await files.read(path)
      return { text: bytes.toString(), version: versionOf(bytes) }
    },
    async restore(path, text) {
      if (text === null) {
        await rm(path, { force: true })
        return undefined
      }
      const bytes = Buffer.from(text)
      await files.write(path, bytes)
      const version = versionOf(bytes)
      observations.note({ path, version, lines: 'all' })
      return version
    },
  }
}
