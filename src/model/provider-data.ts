// The opaque data of a part: tagged with the provider that gave it, so that nobody else is sent it.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'

/** Tags what `provider` gave. Data without content still tells whose the part is. */
export function tagData(provider: string, metadata: unknown): JsonValue {
  const plain: JsonValue = metadata === undefined ? {} : JSON.parse(JSON.stringify(metadata))
  return { by: provider, data: isJsonObject(plain) ? plain : {} }
}

/** The data that `provider` gave, or undefined when it is another's or nobody's. */
export function dataFor(provider: string, tagged: JsonValue | undefined): JsonObject | undefined {
  if (tagged === undefined || !isJsonObject(tagged) || tagged['by'] !== provider) return undefined
  const data = tagged['data']
  return data !== undefined && isJsonObject(data) ? data : {}
}
