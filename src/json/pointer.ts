// JSON pointers, as references in a schema and places in a document spell them.
import { isJsonObject, type JsonValue } from './value.ts'

/** The steps of `/a/b~1c`, escapes undone; also of the fragment of a URI, where they may be encoded once more. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What a pointer names, the root for an empty one; undefined where there is nothing. */
export function atPointer(root: JsonValue, pointer: string): JsonValue | undefined {
  let at: JsonValue | undefined = root
  for (const step of pointerSteps(pointer)) {
    if (Array.isArray(at)) at = /^\d+$/.test(step) ? at[Number(step)] : undefined
    else at = isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined
  }
  return at
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
