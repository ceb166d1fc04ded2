// A configuration file as text → JSON with places, whatever is wrong with it.
import { createScanner, type Node, parseTree, type ParseError, printParseErrorCode } from 'jsonc-parser'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'

export type JsonPath = readonly (string | number)[]

export interface Document {
  /** Absolute. */
  file: string
  /** What could be read; `{}` when nothing could. */
  value: JsonObject
  /** Whether the syntax is broken: then parts behind the first fault may be missing from `value`. */
  broken: boolean
  /** Sentences that name file, line and column. */
  problems: readonly string[]
  /** `file:line:column` of a value, or of the nearest thing around it that exists. */
  locate(path: JsonPath): string
}

/** Never throws. A byte order mark of UTF-8 is accepted, comments and trailing commas are too. */
export function readDocument(file: string, bytes: Uint8Array): Document {
  const text = decode(bytes)
  if (typeof text !== 'string') return unreadable(file, text.problem)
  const errors: ParseError[] = []
  const { flat, deep } = flatten(text)
  const root = parseTree(flat, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const at = (offset: number): string => `${file}:${place(text, offset)}`
  const problems = [
    ...deep.slice(0, 3).map((offset) => `${at(offset)}: nested more than ${DEEPEST} levels deep.`),
    ...errors.slice(0, 3).map(({ error, offset }) => `${at(offset)}: ${words(error)}.`),
  ]
  const whole =
    root === undefined ? undefined : valueOf(root, (key) => problems.push(`${at(key.offset)}: ${twice(key)}`))
  if (!isJsonObject(whole)) {
    if (problems.length === 0)
      problems.push(`${at(root?.offset ?? 0)}: expected an object, such as { "model": "…" }.`)
    return { file, value: {}, broken: true, problems, locate: () => at(root?.offset ?? 0) }
  }
  const locate = (path: JsonPath): string => at(nodeAt(root, path)?.offset ?? 0)
  return { file, value: whole, broken: errors.length + deep.length > 0, problems, locate }
}

/** Levels that no setting needs; the parser overflows the stack somewhere above. */
const DEEPEST = 100

/** The end of a scan; the library has its name only in its types. */
const END = 17

/** The text with `0` in place of whatever nests too deeply, everything else where it was; and where that stood. */
function flatten(text: string): { flat: string; deep: readonly number[] } {
  const scanner = createScanner(text)
  const deep: number[] = []
  let flat = ''
  let levels = 0
  for (let token = Number(scanner.scan()); token !== END; token = Number(scanner.scan())) {
    const from = scanner.getTokenOffset()
    const raw = text.slice(from, from + scanner.getTokenLength())
    if ((raw === '{' || raw === '[') && ++levels === DEEPEST) {
      deep.push(from)
      flat += '0'
    } else if (levels < DEEPEST) flat += raw
    else flat += raw.replaceAll(/[^\r\n]/g, ' ')
    if ((raw === '}' || raw === ']') && levels > 0) levels--
  }
  return { flat, deep }
}

function unreadable(file: string, problem: string): Document {
  const problems = [`${file}: ${problem}`]
  return { file, value: {}, broken: true, problems, locate: () => `${file}:1:1` }
}

function decode(bytes: Uint8Array): string | { problem: string } {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || bytes.includes(0)) {
    return { problem: 'the file is UTF-16 or binary; save it as UTF-8.' }
  }
  try {
    // The decoder drops the byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { problem: 'the file is not valid UTF-8; save it as UTF-8.' }
  }
}

function place(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/)
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}

function words(error: ParseError['error']): string {
  const code = printParseErrorCode(error)
  const expected = /^(\w+?)Expected$/.exec(code)?.[1]
  if (expected === undefined) return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return `expected ${EXPECTED[expected] ?? expected.toLowerCase()}`
}

const EXPECTED: Readonly<Record<string, string>> = {
  PropertyName: 'the name of a property, in double quotes',
  Value: 'a value',
  Colon: '":"',
  Comma: '","',
  CloseBrace: '"}"',
  CloseBracket: '"]"',
  EndOfFile: 'the end of the file',
}

function twice(key: Node): string {
  return `"${String(key.value)}" stands there twice; both count.`
}

/** Like `getNodeValue`, but what stands there twice is joined: a second list must not undo the first. */
function valueOf(node: Node, onTwice: (key: Node) => void): JsonValue {
  if (node.type === 'array') return (node.children ?? []).map((child) => valueOf(child, onTwice))
  if (node.type !== 'object') return (node.value ?? null) as JsonValue
  const entries = new Map<string, JsonValue>()
  for (const { children } of node.children ?? []) {
    const [key, child] = children ?? []
    if (key === undefined || child === undefined) continue
    const name = String(key.value)
    const before = entries.get(name)
    const value = valueOf(child, onTwice)
    if (before !== undefined) onTwice(key)
    entries.set(name, before === undefined ? value : joined(before, value))
  }
  return Object.fromEntries(entries)
}

/** Lists one behind the other, objects member by member; of single values the second, which undoes no list or object. */
export function joined(first: JsonValue, second: JsonValue): JsonValue {
  if (Array.isArray(first)) return Array.isArray(second) ? [...first, ...second] : first
  if (!isJsonObject(first)) return second
  if (!isJsonObject(second)) return first
  const members = new Map(Object.entries(first))
  for (const [key, value] of Object.entries(second)) {
    const before = members.get(key)
    members.set(key, before === undefined ? value : joined(before, value))
  }
  return Object.fromEntries(members)
}

function nodeAt(root: Node | undefined, path: JsonPath): Node | undefined {
  let node = root
  for (const step of path) {
    const child =
      typeof step === 'number'
        ? node?.children?.[step]
        : node?.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1]
    if (child === undefined) break
    node = child
  }
  return node
}
