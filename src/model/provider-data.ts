// The opaque data of a part: tagged with the provider and model that gave it, so that nobody else is sent it.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'

/** Who gave the data, and who may be sent it. */
export interface Origin {
  /** Provider id. */
  provider: string
  modelId: string
}

/** Tags what a model gave. Data without content still tells whose the part is. */
export function tagData({ provider, modelId }: Origin, metadata: unknown): JsonValue {
  const plain: JsonValue = metadata === undefined ? {} : JSON.parse(JSON.stringify(metadata))
  return { by: provider, model: modelId, data: isJsonObject(plain) ? plain : {} }
}

/** The data that this very model gave, or undefined: signatures and encrypted thoughts are of no use to another. */
export function dataFor(
  { provider, modelId }: Origin,
  tagged: JsonValue | undefined,
): JsonObject | undefined {
  if (tagged === undefined || !isJsonObject(tagged) || tagged['by'] !== provider) return undefined
  if (tagged['model'] !== undefined && tagged['model'] !== modelId) return undefined
  const data = tagged['data']
  return data !== undefined && isJsonObject(data) ? data : {}
}
