// References inside a schema. Nothing is ever fetched.
import { atPointer } from '#json/pointer.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'

const MAX_CHAIN = 64

/**
 * The schema that a `$ref` such as `#/$defs/Q`, `#`, or `#anchor` names, through further references; undefined for
 * one that leads out of the document, nowhere, or in a circle.
 */
export function localTarget(root: JsonObject, ref: JsonValue | undefined): JsonObject | undefined {
  let next = ref
  for (let hops = 0; hops < MAX_CHAIN; hops += 1) {
    const found = typeof next === 'string' ? lookUp(root, next) : undefined
    if (!isJsonObject(found)) return found === true ? {} : undefined
    if (typeof found['$ref'] !== 'string' || Object.keys(found).length > 1) return found
    next = found['$ref']
  }
  return undefined
}

function lookUp(root: JsonObject, ref: string): JsonValue | undefined {
  if (ref === '#' || ref.startsWith('#/')) return atPointer(root, ref.slice(1))
  return ref.startsWith('#') ? anchor(root, ref.slice(1)) : undefined
}

function anchor(node: JsonValue, name: string): JsonObject | undefined {
  if (Array.isArray(node)) {
    for (const item of node) {
      const found = anchor(item, name)
      if (found) return found
    }
    return undefined
  }
  if (!isJsonObject(node)) return undefined
  return node['$anchor'] === name ? node : anchor(Object.values(node), name)
}
