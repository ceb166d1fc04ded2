import { expect, it } from 'vitest'
import { nativePath } from '#workspace/native-path.ts'

it.each([
  ['/c/w/f', 'C:\\w\\f'],
  ['/cygdrive/d/w f', 'D:\\w f'],
  ['/mnt/c/w', 'C:\\w'],
  ['\\c\\w', 'C:\\w'],
  ['/c', 'C:\\'],
  ['/cd/f', '/cd/f'],
  ['C:/w/f', 'C:/w/f'],
  ['c/w', 'c/w'],
])('B203: %s on Windows', (path, native) => {
  expect(nativePath(path, 'win32')).toBe(native)
  expect(nativePath(path, 'linux')).toBe(path)
})
