import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readWindow } from '#tools/fs/read-window.ts'
import { countNewlines, offsetAfterNewlines } from '#workspace/newlines.ts'
import { versionHash, versionOf } from '#workspace/observations.ts'

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  // One buffer for all, as the file system does it.
  const shared = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size)
    piece.copy(shared)
    yield shared.subarray(0, piece.length)
  }
}

function window(bytes: Buffer, size: number, offset: number, limit: number) {
  return readWindow({ head: bytes.subarray(0, 12), open: () => pieces(bytes, size) }, { offset, limit })
}

const text = fc
  .array(fc.constantFrom('a', 'ä', '漢', '🙂', '\n', '\r\n', 'word ', '\n\n'), { maxLength: 40 })
  .map((parts) => parts.join(''))

describe('windows', () => {
  it('are the same however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (content, size, offset, limit) => {
          const bytes = Buffer.from(content)
          const all = content === '' ? [] : content.replace(/\n$/, '').split('\n')
          const found = await window(bytes, size, offset, limit)
          expect(found?.totalLines).toBe(content === '' ? 0 : all.length)
          expect(found?.lines).toEqual(
            all
              .slice(offset - 1, offset - 1 + limit)
              .map((line, at) => ({ number: offset + at, text: line.replace(/\r$/, '') })),
          )
          expect(found?.version).toBe(versionOf(bytes))
        },
      ),
      { numRuns: 400 },
    )
  })

  it('bytes that are no text are found wherever they are cut', async () => {
    for (const bad of [
      [0xff],
      [0xc3],
      [0xe2, 0x82],
      [0xf0, 0x9f, 0x99],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0],
    ]) {
      for (const [before, behind] of [
        ['', ''],
        ['ab\n', ''],
        ['ä', 'b'],
        ['', '\n'],
        ['abc', 'äöü'],
      ]) {
        const bytes = Buffer.concat([Buffer.from(before ?? ''), Buffer.from(bad), Buffer.from(behind ?? '')])
        for (const size of [1, 2, 3, 5, 100]) expect(await window(bytes, size, 1, 10)).toBeUndefined()
      }
    }
  })

  it('UTF-16 is read in pieces too', async () => {
    const bytes = Buffer.from('\uFEFFeins\r\nzwei 🙂\r\ndrei', 'utf16le')
    for (const size of [1, 2, 3, 7, 100]) {
      const found = await window(bytes, size, 2, 1)
      expect(found).toMatchObject({ totalLines: 3, lines: [{ number: 2, text: 'zwei 🙂' }] })
      expect(found?.encoding.name).toBe('utf-16le')
    }
  })
})

it('newlines are counted and found wherever they stand', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 0, max: 7 }), (raw, skip) => {
      const bytes = Buffer.from(raw.map((byte) => (byte % 3 === 0 ? 10 : byte))).subarray(skip)
      const feeds = [...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at] : []))
      expect(countNewlines(bytes)).toBe(feeds.length)
      feeds.forEach((at, index) => expect(offsetAfterNewlines(bytes, index + 1)).toBe(at + 1))
      expect(offsetAfterNewlines(bytes, feeds.length + 1)).toBe(-1)
    }),
  )
})

it('the version of a large file tells its end apart, and does not depend on the pieces', () => {
  const bytes = Buffer.alloc(17 * 1024 * 1024, 'x')
  const hash = versionHash()
  for (let at = 0; at < bytes.length; at += 999_983) hash.update(bytes.subarray(at, at + 999_983))
  const version = versionOf(bytes)
  expect(hash.version()).toBe(version)
  bytes[bytes.length - 1] = 0x79
  expect(versionOf(bytes)).not.toBe(version)
  expect(versionOf(bytes.subarray(0, -1))).not.toBe(version)
})
