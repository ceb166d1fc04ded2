// Lossless JSON: the only kind of data that crosses a boundary of the house.

export type JsonPrimitive = string | number | boolean | null
export type JsonObject = { [key: string]: JsonValue }
export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject

/** True for a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether JSON can hold the array as it is: a plain one, without holes and without further properties. */
export function isPlainArray(list: unknown[]): boolean {
  return (
    Object.getPrototypeOf(list) === Array.prototype &&
    Object.keys(list).length === list.length &&
    Reflect.ownKeys(list).length === list.length + 1
  )
}
