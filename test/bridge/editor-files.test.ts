// Files through an editor: unsaved buffers, formatters, errors, silence, and every way back to the disk.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentContext } from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { createEditorFileSystem } from '#bridge/editor-file-system.ts'
import { createEditorFiles, READ_MS, WRITE_MS } from '#bridge/editor-files.ts'
import { createFileSystem, type FileSystem } from '#workspace/file-system.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** An editor with buffers; what it does with a request can be replaced. */
class FakeEditor {
  readonly buffers = new Map<string, string>()
  readonly asked: string[] = []
  onRead: (path: string) => string | Promise<string> = (path) => {
    const text = this.buffers.get(path)
    return text ?? readFileSync(path, 'utf8')
  }
  /** Saves, as editors do. */
  onWrite: (path: string, content: string) => void | Promise<void> = (path, content) => {
    this.buffers.set(path, content)
    writeFileSync(path, content)
  }
  readonly client = {
    request: async (
      method: string,
      { path, content }: { path: string; content?: string },
      { cancellationSignal }: { cancellationSignal: AbortSignal },
    ): Promise<unknown> => {
      this.asked.push(`${method.slice(3)} ${path}`)
      const gone = new Promise<never>((_resolve, reject) =>
        cancellationSignal.addEventListener('abort', () => reject(RequestError.requestCancelled())),
      )
      if (content === undefined) return { content: await Promise.race([this.onRead(path), gone]) }
      await Promise.race([this.onWrite(path, content), gone])
      return {}
    },
  } as unknown as AgentContext
}

const BOTH = { fsRead: true, fsWrite: true }
const never = (): Promise<never> => new Promise(() => {})
const refuse = (): never => {
  throw new RequestError(-32603, 'no')
}

let cwd = ''
let file = ''
let editor: FakeEditor
let clock: FakeClock
let files: FileSystem
function connect(profile = BOTH, roots: readonly (readonly [string, string])[] = [[cwd, cwd]]): () => void {
  const hub = createEditorFiles(clock)
  files = createEditorFileSystem({ disk: createFileSystem(), roots, editor: () => hub.editor('s') })
  return hub.attach('s', editor.client, profile)
}
beforeEach(async () => {
  cwd = await temporaryDirectory()
  file = join(cwd, 'a.txt')
  writeFileSync(file, 'saved\n')
  editor = new FakeEditor()
  clock = new FakeClock()
  connect()
})
const read = async (path = file): Promise<string> => (await files.read(path)).toString()
/** What is there afterwards. */
const write = async (text: string | Uint8Array, path = file): Promise<string> => {
  const bytes = Buffer.from(text)
  return Buffer.from((await files.write(path, bytes)) ?? bytes).toString()
}
const onDisk = (path = file): string => readFileSync(path, 'utf8')
/** Lets the request go out, then lets time pass. */
async function after<T>(ms: number, work: Promise<T>): Promise<T> {
  let over = false
  const done = (): void => void (over = true)
  work.then(done, done)
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve))
    if (clock.waiting > 0) clock.advance(ms)
  }
  return work
}

describe('reading', () => {
  it('gives what is in the editor, saved or not, also as a stream', async () => {
    editor.buffers.set(file, 'not saved\n')
    expect(await read()).toBe('not saved\n')
    const pieces: Uint8Array[] = []
    for await (const piece of files.stream(file)) pieces.push(Buffer.from(piece))
    expect(Buffer.concat(pieces).toString()).toBe('not saved\n')
  })

  it.each([
    ['CRLF line ends', Buffer.from('a\r\nb\r\n')],
    ['a byte order mark', Buffer.from('\uFEFFa\n')],
    ['bytes that are no UTF-8', Buffer.from([0xe9, 0x0a])],
    ['a NUL', Buffer.from('a\0b\n')],
    ['more than 4 MiB', Buffer.alloc(4 * 1024 * 1024 + 1, 'a')],
  ])('takes a file with %s from the disk', async (_what, bytes) => {
    writeFileSync(file, bytes)
    expect((await files.read(file)).equals(bytes)).toBe(true)
    let length = 0
    for await (const piece of files.stream(file)) length += piece.length
    expect(length).toBe(bytes.length)
    expect(editor.asked).toEqual([])
  })

  it('takes what is outside the roots, or has no editor, from the disk', async () => {
    const outside = join(await temporaryDirectory(), 'b.txt')
    writeFileSync(outside, 'b\n')
    expect(await read(outside)).toBe('b\n')
    expect(editor.asked).toEqual([])
    const detach = connect()
    editor.buffers.set(file, 'not saved\n')
    detach()
    expect(await read()).toBe('saved\n')
    connect({ fsRead: false, fsWrite: true })
    expect(await read()).toBe('saved\n')
  })

  it('falls back to the disk when the editor refuses, or is silent for a second', async () => {
    editor.onRead = refuse
    expect(await read()).toBe('saved\n')
    editor.onRead = never
    expect(await after(READ_MS, read())).toBe('saved\n')
    editor.onRead = () => undefined as never
    expect(await read()).toBe('saved\n')
  })

  it('tells a missing file as the disk does', async () => {
    await expect(read(join(cwd, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('names the file as the client does, under a linked root', async () => {
    const real = join(cwd, 'real')
    mkdirSync(real)
    symlinkSync(real, join(cwd, 'link'))
    writeFileSync(join(real, 'x.txt'), 'x\n')
    connect(BOTH, [[join(cwd, 'link'), real]])
    editor.buffers.set(join(cwd, 'link', 'x.txt'), 'in the editor\n')
    expect(await read(join(real, 'x.txt'))).toBe('in the editor\n')
  })

  it('believes the disk when it changed and the editor still serves the old text, until that moves', async () => {
    editor.buffers.set(file, 'saved\n')
    expect(await read()).toBe('saved\n')
    writeFileSync(file, 'by a command\n')
    expect(await read()).toBe('by a command\n')
    expect(await read()).toBe('by a command\n')
    editor.buffers.set(file, 'typed\n')
    expect(await read()).toBe('typed\n')
  })

  it('believes a buffer that differed when it was first read', async () => {
    editor.buffers.set(file, 'typed\n')
    expect(await read()).toBe('typed\n')
    expect(await read()).toBe('typed\n')
  })
})

describe('writing', () => {
  it('goes through the editor and gives what a formatter left', async () => {
    editor.onWrite = (path, content) => {
      editor.buffers.set(path, content.replace('a=1', 'a = 1'))
      writeFileSync(path, content.replace('a=1', 'a = 1'))
    }
    expect(await write('a=1\n')).toBe('a = 1\n')
    expect(await read()).toBe('a = 1\n')
    expect(editor.asked).toContain(`write_text_file ${file}`)
  })

  it.each([
    ['the editor', BOTH],
    ['the disk', { fsRead: true, fsWrite: false }],
    ['the disk, without an editor', { fsRead: false, fsWrite: false }],
  ])('says nothing of what is there where %s keeps it as it was given', async (_who, profile) => {
    connect(profile)
    editor.onWrite = (path, content) => {
      editor.buffers.set(path, content)
      writeFileSync(path, content)
    }
    editor.buffers.set(file, 'saved\n')
    expect(await files.write(file, Buffer.from('new\n'))).toBeUndefined()
    expect(onDisk()).toBe('new\n')
  })

  it('creates new files through the editor too', async () => {
    const made = join(cwd, 'new.txt')
    expect(await write('new\n', made)).toBe('new\n')
    expect(editor.asked).toContain(`write_text_file ${made}`)
    expect(onDisk(made)).toBe('new\n')
  })

  it.each([
    ['the old file has CRLF', Buffer.from('a\r\n'), Buffer.from('b\r\n')],
    ['the old file has a mark', Buffer.from('\uFEFFa\n'), Buffer.from('\uFEFFb\n')],
    ['the new text has CRLF', Buffer.from('a\n'), Buffer.from('b\r\n')],
    ['the new bytes are no UTF-8', Buffer.from('a\n'), Buffer.from([0xe9, 0x0a])],
  ])('goes to the disk where a byte could be lost: %s', async (_what, before, now) => {
    writeFileSync(file, before)
    editor.onRead = (path) =>
      readFileSync(path, 'utf8')
        .replace(/^\uFEFF/, '')
        .replaceAll('\r\n', '\n')
    await files.write(file, now)
    expect(readFileSync(file).equals(now)).toBe(true)
    expect(editor.asked.filter((line) => line.startsWith('write'))).toEqual([])
  })

  it('refuses to write on disk under an unsaved buffer', async () => {
    writeFileSync(file, 'a\r\n')
    editor.buffers.set(file, 'a\nand more\n')
    await expect(write('b\r\n')).rejects.toMatchObject({
      code: 'ESTALE',
      message: expect.stringContaining('save'),
    })
    expect(onDisk()).toBe('a\r\n')
    connect({ fsRead: true, fsWrite: false })
    writeFileSync(file, 'a\n')
    await expect(write('b\n')).rejects.toMatchObject({ code: 'ESTALE' })
    editor.buffers.set(file, 'a\n')
    expect(await write('b\n')).toBe('b\n')
    expect(onDisk()).toBe('b\n')
  })

  it('refuses when unsaved text and the disk have parted', async () => {
    editor.buffers.set(file, 'typed\n')
    await read()
    writeFileSync(file, 'by a command\n')
    await read()
    await expect(write('over it\n')).rejects.toMatchObject({ code: 'ESTALE' })
    expect(editor.buffers.get(file)).toBe('typed\n')
    expect(onDisk()).toBe('by a command\n')
  })

  it('goes to the disk when the editor refused and nothing changed', async () => {
    editor.onWrite = refuse
    expect(await write('mine\n')).toBe('mine\n')
    expect(onDisk()).toBe('mine\n')
    const made = join(cwd, 'new.txt')
    expect(await write('new\n', made)).toBe('new\n')
    expect(onDisk(made)).toBe('new\n')
  })

  it('reports what is there when the editor refused but something changed', async () => {
    editor.onWrite = (path) => {
      editor.buffers.set(path, 'half\n')
      return refuse()
    }
    expect(await write('mine\n')).toBe('half\n')
    expect(onDisk()).toBe('saved\n')
  })

  it('never goes to the disk after silence: it reports what is there, or that nothing happened', async () => {
    editor.onWrite = never
    await expect(after(WRITE_MS, write('mine\n'))).rejects.toMatchObject({ code: 'EIO' })
    expect(onDisk()).toBe('saved\n')
    editor.onWrite = (path, content) => {
      writeFileSync(path, content)
      editor.buffers.set(path, content)
      return never()
    }
    expect(await after(WRITE_MS, write('late\n'))).toBe('late\n')
  })
})
