// The files of a session as its history sees them: text by path, put back as they were.
import { systemCode } from '#json/thrown.ts'
import { decodeText, type DecodedText, MARKED_UTF8, UTF8 } from './encoding.ts'
import type { FileSystem } from './file-system.ts'
import { versionOf } from './observations.ts'
import type { TextEncoding } from './text-encoding.ts'
import type { Workspace } from './workspace.ts'

const MARK = '\uFEFF'

/** `read` gives null where there is no file; `restore` removes the file for null. Paths are real and absolute. */
export function historyFiles({ files, observations }: Pick<Workspace, 'files' | 'observations'>): {
  read(path: string): Promise<{ text: string; version: string } | null>
  restore(path: string, text: string | null): Promise<string | undefined>
} {
  return {
    async read(path) {
      const bytes = await bytesAt(files, path)
      if (!bytes) return null
      const decoded = await decodeText(bytes)
      return { text: decoded ? historyText(decoded) : bytes.toString(), version: versionOf(bytes) }
    },
    async restore(path, text) {
      if (text === null) {
        await files.remove(path, false).catch((error: unknown) => {
          if (systemCode(error) !== 'ENOENT') throw error
        })
        observations.forget(path)
        return undefined
      }
      const present = await bytesAt(files, path)
      const marked = text.startsWith(MARK)
      const encoding = encodingFor(present && (await decodeText(present))?.encoding, marked)
      const bytes = encoding.encode(marked ? text.slice(MARK.length) : text)
      const version = versionOf((await files.write(path, bytes)) ?? bytes)
      observations.note({ path, version, lines: 'all' })
      return version
    },
  }
}

/** A text as the history keeps it: with a byte order mark where its file has one. */
export function historyText({ text, encoding }: DecodedText): string {
  return encoding.bom ? MARK + text : text
}

/** The session never changes the encoding of a file, so the present one is that of its past. */
function encodingFor(present: TextEncoding | undefined, marked: boolean): TextEncoding {
  if (present && (present.bom === marked || present.name !== 'utf-8')) return present
  return marked ? MARKED_UTF8 : UTF8
}

async function bytesAt(files: FileSystem, path: string): Promise<Buffer | undefined> {
  const found = await files.stat(path)
  return found?.kind === 'file' ? files.read(path) : undefined
}
