// Files through an editor (acp.md §9): its unsaved text is what people see; the disk wherever a byte could be lost.
import { isUtf8 } from 'node:buffer'
import { isAbsolute, join, relative, sep } from 'node:path'
import { systemCode } from '#json/thrown.ts'
import { decodeText } from '#workspace/encoding.ts'
import type { FileSystem } from '#workspace/file-system.ts'
import { versionOf } from '#workspace/observations.ts'
import type { RootPair } from '#bridge/cards/card.ts'
import type { Editor } from './editor-files.ts'

/** Bytes of a file that goes through the editor. */
const LARGEST = 4 * 1024 * 1024

/** The editor holds another text than the disk, and the file can only be written on disk. */
export class StaleBufferError extends Error {
  override readonly name = 'StaleBufferError'
  readonly code = 'ESTALE'

  constructor(path: string) {
    super(`${path} has changes in the editor that are not saved: save them first, then read it again`)
  }
}

class SilentEditorError extends Error {
  override readonly name = 'SilentEditorError'
  readonly code = 'EIO'

  constructor(path: string) {
    super(`the editor did not answer while ${path} was written, and the file is as before`)
  }
}

export interface EditorFileSystemInit {
  disk: FileSystem
  /** As named by the client, and as they really are. */
  roots: readonly RootPair[]
  /** The editor that is attached now. */
  editor(): Editor | undefined
}

/** What was last seen of a file: versions of the editor's text and of the disk, and which of them is the file. */
interface Seen {
  buffer: string
  disk: string | undefined
  /** The buffer is an old text of a file that changed on disk: the disk is the file until the buffer moves. */
  stale: boolean
  /** The buffer held text that was not saved. */
  dirty: boolean
}

/**
 * Writing throws `StaleBufferError` where it would lose text that is not saved in the editor, and the code `EIO` when
 * the editor does not answer and the file is as before.
 */
export function createEditorFileSystem(init: EditorFileSystemInit): FileSystem {
  const { disk } = init
  const files = new Files(init)
  return {
    ...disk,
    read: (path) => files.read(path),
    stream: (path, signal) => files.stream(path, signal),
    async write(path, bytes) {
      const after = await files.write(path, bytes)
      return Buffer.compare(after, bytes) === 0 ? undefined : after
    },
  }
}

class Files {
  readonly #init: EditorFileSystemInit
  readonly #seen = new Map<string, Seen>()

  constructor(init: EditorFileSystemInit) {
    this.#init = init
  }

  async read(path: string): Promise<Buffer> {
    const { disk } = this.#init
    const editor = this.#editorFor(path)
    const bytes = await disk.read(path)
    if (!editor?.reads || !passes(bytes)) return bytes
    return this.#current(editor, path, bytes)
  }

  async *stream(path: string, signal?: AbortSignal): AsyncIterable<Uint8Array> {
    const { disk } = this.#init
    const found = this.#editorFor(path)?.reads ? await disk.stat(path) : undefined
    if (found?.kind === 'file' && found.size <= LARGEST) {
      const bytes = await this.read(path)
      signal?.throwIfAborted()
      yield bytes
    } else yield* disk.stream(path, signal)
  }

  /** Gives the bytes that are there afterwards. */
  async write(path: string, bytes: Uint8Array): Promise<Uint8Array> {
    const { disk } = this.#init
    const editor = this.#editorFor(path)
    const before = editor && (await this.#onDisk(path))
    if (editor?.writes && passes(bytes) && (before === undefined || passes(before))) {
      return this.#writeInEditor(editor, path, bytes, before)
    }
    if (editor?.reads && before) await this.#requireSaved(editor, path, before)
    await disk.write(path, bytes)
    return bytes
  }

  /** The text of the file now; notes what was seen. */
  async #current(editor: Editor, path: string, onDisk: Buffer): Promise<Buffer> {
    const answer = await editor.read(this.#named(path))
    if (answer.kind !== 'ok') return onDisk
    const text = withoutCarriage(answer.value, onDisk)
    const disk = versionOf(onDisk)
    const buffer = versionOf(text)
    const before = this.#seen.get(path)
    const stale = isStale(before, { disk, buffer })
    this.#seen.set(path, { disk, buffer, stale, dirty: stale ? before?.dirty === true : buffer !== disk })
    return stale ? onDisk : text
  }

  async #writeInEditor(
    editor: Editor,
    path: string,
    bytes: Uint8Array,
    onDisk: Buffer | undefined,
  ): Promise<Uint8Array> {
    const { disk } = this.#init
    const seen = this.#seen.get(path)
    // The session knows the disk, and the editor holds something else that nobody has saved.
    if (seen?.stale && seen.dirty) throw new StaleBufferError(path)
    const before = onDisk && (editor.reads ? await this.#current(editor, path, onDisk) : onDisk)
    const answer = await editor.write(this.#named(path), Buffer.from(bytes).toString())
    this.#seen.delete(path)
    const after = await this.#reread(editor, path)
    if (answer.kind === 'ok') return after ?? bytes
    if (!same(before, after)) return after ?? bytes
    if (answer.kind === 'silent') throw new SilentEditorError(path)
    await disk.write(path, bytes)
    return bytes
  }

  async #reread(editor: Editor, path: string): Promise<Buffer | undefined> {
    const now = await this.#onDisk(path)
    return now && editor.reads ? this.#current(editor, path, now) : now
  }

  async #requireSaved(editor: Editor, path: string, onDisk: Buffer): Promise<void> {
    const saved = await decodeText(onDisk)
    if (!saved || onDisk.length > LARGEST) return
    const answer = await editor.read(this.#named(path))
    if (answer.kind !== 'ok') return
    const inEditor = plainLines(answer.value.replace(/^\uFEFF/, ''))
    if (inEditor !== plainLines(saved.text)) throw new StaleBufferError(path)
  }

  async #onDisk(path: string): Promise<Buffer | undefined> {
    try {
      return await this.#init.disk.read(path)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined
      throw error
    }
  }

  #editorFor(path: string): Editor | undefined {
    return this.#rootOf(path) ? this.#init.editor() : undefined
  }

  #rootOf(path: string): RootPair | undefined {
    return this.#init.roots.find((pair) => pair.some((root) => below(root, path) !== undefined))
  }

  /** The path as the client names it: real paths under a linked root are not what it has open. */
  #named(path: string): string {
    const pair = this.#rootOf(path)
    if (!pair) return path
    const inside = below(pair[1], path)
    return inside === undefined ? path : join(pair[0], inside)
  }
}

/**
 * After a change on disk an editor may go on serving the text it had: then the disk is the file, until the buffer
 * moves too. A buffer that differed when it was first read is what the person sees.
 */
function isStale(before: Seen | undefined, now: { disk: string; buffer: string }): boolean {
  if (!before || now.buffer === now.disk || now.buffer !== before.buffer) return false
  return before.stale || now.disk !== before.disk
}

/** Text that can go through an editor without losing a byte. */
function passes(bytes: Uint8Array): boolean {
  if (bytes.length > LARGEST || bytes.includes(0) || bytes.includes(0x0d)) return false
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return !marked && isUtf8(bytes)
}

/** The editor's text of a file whose lines end in LF; carriage returns that only the editor adds are none of ours. */
function withoutCarriage(text: string, onDisk: Buffer): Buffer {
  const bytes = Buffer.from(text.toWellFormed())
  if (!text.includes('\r')) return bytes
  const plain = Buffer.from(plainLines(text.toWellFormed()))
  return plain.equals(onDisk) ? plain : bytes
}

function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0
}

function below(root: string, path: string): string | undefined {
  const inside = relative(root, path)
  if (inside === '') return undefined
  return inside.split(sep)[0] === '..' || isAbsolute(inside) ? undefined : inside
}
