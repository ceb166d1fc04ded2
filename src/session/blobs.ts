// Blobs: strings that are too long for a line of the log live beside it, named by their content.
import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '#config/make-directory.ts'
import { setOwn } from '#json/materialize.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'

/** Characters of JSON text; a shorter line holds everything itself. */
const LONG = 64 * 1024
const REFERENCE = '$blob'
/** Data that happens to have such a key gets one more `$`, taken off again by the reader. */
const RESERVED_KEY = /^\$+blob$/
const MAY_HOLD_REFERENCE = /"\$+blob"/

export interface Packed {
  line: string
  /** Text by hash. */
  blobs: Map<string, string>
}

/** One line without its newline. Strings with lone surrogates stay in the line: no file could hold them unchanged. */
export function pack(value: object): Packed {
  const line = JSON.stringify(value)
  if (line.length <= LONG && !MAY_HOLD_REFERENCE.test(line)) return { line, blobs: new Map() }
  const blobs = new Map<string, string>()
  const packed = mapJson(
    JSON.parse(line) as JsonValue,
    (text) => {
      if (text.length <= LONG || !text.isWellFormed()) return text
      const hash = hashOf(text)
      blobs.set(hash, text)
      return { [REFERENCE]: hash, chars: text.length }
    },
    (key) => (RESERVED_KEY.test(key) ? `$${key}` : key),
  )
  return { line: JSON.stringify(packed), blobs }
}

/** Whether a line may refer to blobs: others need no unpacking. */
export function refersToBlobs(line: string): boolean {
  return MAY_HOLD_REFERENCE.test(line)
}

/** The hashes that a line refers to, in order; one may come twice. */
export function hashesIn(line: string): string[] {
  return Array.from(line.matchAll(/"\$blob":"([0-9a-f]{64})"/g), ([, hash = '']) => hash)
}

/** Puts the blobs of a parsed line back. `read` gives the text of a hash, or undefined when it is lost. */
export async function unpack(
  line: string,
  value: JsonValue,
  read: (hash: string) => Promise<string | undefined>,
): Promise<{ value: JsonValue; lost: number }> {
  const texts = new Map<string, string | undefined>()
  for (const hash of hashesIn(line)) {
    if (!texts.has(hash)) texts.set(hash, await read(hash))
  }
  let lost = 0
  const restore = (node: JsonObject): JsonValue | undefined => {
    const hash = node[REFERENCE]
    if (typeof hash !== 'string') return undefined
    const text = texts.get(hash)
    if (text !== undefined) return text
    lost += 1
    return `[${JSON.stringify(node['chars'])} characters that were stored beside the log can’t be read]`
  }
  return {
    value: mapJson(
      value,
      (text) => text,
      (key) => (RESERVED_KEY.test(key) ? key.slice(1) : key),
      restore,
    ),
    lost,
  }
}

/** A folder of blobs. */
export class BlobFolder {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async write(hash: string, text: string): Promise<void> {
    const path = join(this.#path, hash)
    if (
      await stat(path).then(
        (found) => found.size > 0,
        () => false,
      )
    )
      return
    await makeDirectory(this.#path, 0o700)
    const temporary = `${path}.${randomUUID()}`
    await writeFile(temporary, text, { mode: 0o600, flush: true })
    await rename(temporary, path)
  }

  /** undefined when it is missing, or is not what its name says. */
  async read(hash: string): Promise<string | undefined> {
    const text = await readFile(join(this.#path, hash), 'utf8').catch(() => undefined)
    return text !== undefined && hashOf(text) === hash ? text : undefined
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function mapJson(
  value: JsonValue,
  mapText: (text: string) => JsonValue,
  mapKey: (key: string) => string,
  mapObject: (node: JsonObject) => JsonValue | undefined = () => undefined,
): JsonValue {
  if (typeof value === 'string') return mapText(value)
  if (Array.isArray(value)) return value.map((item) => mapJson(item, mapText, mapKey, mapObject))
  if (!isJsonObject(value)) return value
  const replaced = mapObject(value)
  if (replaced !== undefined) return replaced
  const mapped: JsonObject = {}
  for (const [key, item] of Object.entries(value))
    setOwn(mapped, mapKey(key), mapJson(item, mapText, mapKey, mapObject))
  return mapped
}
