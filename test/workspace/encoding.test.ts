import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodeText, UTF8 } from '#workspace/encoding.ts'
import { detectLegacy } from '#workspace/legacy-encoding.ts'
import { UnencodableTextError } from '#workspace/text-encoding.ts'

const GERMAN = 'Die Straße führt über die Brücke.\nGröße und Übung machen den Meister, schöne Grüße!\n'
const JAPANESE = '日本語のテキストファイルです。これはテストです。\n改行もあります。\n'

describe('encodings', () => {
  it.each([
    ['plain', 'a\r\nb\n', 'utf-8'],
    ['marked', '\uFEFFa', 'utf-8'],
    ['twice marked', '\uFEFF\uFEFFa', 'utf-8'],
    ['empty', '', 'utf-8'],
    ['only a mark', '\uFEFF', 'utf-8'],
    ['beyond ASCII', 'Größe 漢字 🙂 e\u0301', 'utf-8'],
  ])('UTF-8 %s: decodes and encodes to the same bytes', async (_name, text, name) => {
    const bytes = Buffer.from(text)
    const decoded = await decodeText(bytes)
    expect(decoded?.encoding).toMatchObject({ name, bom: text.startsWith('\uFEFF') })
    expect(decoded?.encoding.encode(decoded.text)).toEqual(bytes)
  })

  it.each([
    ['utf-16le', Buffer.from('\uFEFFa🙂\r\n', 'utf16le')],
    ['utf-16be', Buffer.from('\uFEFFa🙂\r\n', 'utf16le').swap16()],
    ['ISO-8859-1', iconv.encode(GERMAN, 'latin1')],
    ['Shift_JIS', iconv.encode(JAPANESE, 'Shift_JIS')],
    ['EUC-JP', iconv.encode(JAPANESE, 'EUC-JP')],
    ['GB18030', iconv.encode('这是一个中文文本文件，用来测试编码检测。\n第二行也有中文。\n', 'GB18030')],
    ['Big5', iconv.encode('這是一個中文文字檔案，用來測試編碼偵測。\n第二行也有中文。\n', 'Big5')],
    ['EUC-KR', iconv.encode('이것은 한국어 텍스트 파일입니다. 테스트용입니다.\n', 'EUC-KR')],
  ])('%s: named, and back to the same bytes', async (name, bytes) => {
    const decoded = await decodeText(bytes)
    expect(decoded?.encoding.name).toBe(name)
    expect(decoded?.encoding.encode(decoded.text)).toEqual(bytes)
  })

  it.each([
    ['too little to be certain', [0x63, 0x61, 0x66, 0xe9, 0x0a, 0x78, 0x0a]],
    ['UTF-8 cut in the middle of a character', [...Buffer.from(GERMAN), 0xe2, 0x82]],
    ['marked UTF-8 with a bad byte', [0xef, 0xbb, 0xbf, 0x61, 0xff]],
    ['NUL', [0x61, 0x00]],
    ['UTF-16 without a mark', [...Buffer.from('text\n', 'utf16le')]],
    ['UTF-16 cut in the middle of a unit', [0xff, 0xfe, 0x61, 0x00, 0x62]],
    ['a lone surrogate', [0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]],
    ['UTF-32', [0xff, 0xfe, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00]],
    ['noise', Array.from({ length: 4000 }, (_, at) => ((at * at * 7 + at * 13) % 255) + 1)],
  ])('refuses %s', async (_name, bytes) => {
    expect(await decodeText(Uint8Array.from(bytes))).toBeUndefined()
  })

  it('never writes a substitute for a character that is not there', async () => {
    const { encoding } = (await decodeText(iconv.encode(GERMAN, 'latin1'))) ?? { encoding: UTF8 }
    expect(() => encoding.encode('price: 5 €')).toThrow(UnencodableTextError)
    expect(() => encoding.encode('price: 5 €')).toThrow('"€"')
    expect(encoding.encode('é')).toEqual(Buffer.from([0xe9]))
  })

  it('decodes pieces that are cut anywhere', () => {
    const bytes = iconv.encode(JAPANESE, 'Shift_JIS')
    for (const size of [1, 2, 3, 7]) {
      const decoder = detectLegacy(bytes)?.decoder()
      let text = ''
      for (let at = 0; at < bytes.length; at += size) text += decoder?.push(bytes.subarray(at, at + size))
      expect([text, decoder?.end()]).toEqual([JAPANESE, true])
    }
  })
})
