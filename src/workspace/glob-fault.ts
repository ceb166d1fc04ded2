// What is wrong with a glob: picomatch takes a broken one for a text, or for one that matches nothing.
import picomatch from 'picomatch'
import { thrownMessage } from '#json/thrown.ts'

const OPENING: Readonly<Record<string, string>> = { ']': '[', '}': '{', ')': '(' }

/** `undefined` for a glob that can be matched. A closing bracket without an opening one is a character. */
export function globFault(pattern: string): string | undefined {
  const closing = /^Missing closing: "(.)"/.exec(faultOf(pattern, true) ?? '')?.[1]
  const opening = closing === undefined ? undefined : OPENING[closing]
  if (opening === undefined) return faultOf(pattern, false)?.replace(/^Invalid regular expression: .*: /s, '')
  return `${JSON.stringify(opening)} has no ${JSON.stringify(closing)}; a backslash before it makes it a character`
}

function faultOf(pattern: string, strictBrackets: boolean): string | undefined {
  try {
    // Otherwise an expression that can't be compiled is one that matches nothing.
    picomatch.makeRe(pattern, { dot: true, debug: true, strictBrackets })
    return undefined
  } catch (error) {
    return thrownMessage(error)
  }
}
