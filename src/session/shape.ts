// What stored JSON must look like before it is believed: checks that are put together. Pure and total.
import { isJsonObject, type JsonValue } from '#json/value.ts'

/** `undefined`: it is not there. */
export type Check = (value: JsonValue | undefined) => boolean

export const string: Check = (value) => typeof value === 'string'
export const boolean: Check = (value) => typeof value === 'boolean'
export const number: Check = (value) => typeof value === 'number' && Number.isFinite(value)
/** A whole number from 0 on. */
export const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
export const any: Check = (value) => value !== undefined
export const object: Check = isJsonObject

export function optional(check: Check): Check {
  return (value) => value === undefined || check(value)
}

export function list(check: Check): Check {
  return (value) => Array.isArray(value) && value.every((entry) => check(entry))
}

export function one(...values: readonly JsonValue[]): Check {
  return (value) => value !== undefined && values.includes(value)
}

export function either(...checks: readonly Check[]): Check {
  return (value) => checks.some((check) => check(value))
}

/** An object with these fields; others may be there too. */
export function fields(shape: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(shape)
  return (value) => isJsonObject(value) && misfit(value, entries) === undefined
}

/** The first field that is not as it must be. */
export function misfit(
  value: Readonly<Record<string, JsonValue>>,
  entries: readonly (readonly [string, Check])[],
): string | undefined {
  return entries.find(([name, check]) => !check(Object.hasOwn(value, name) ? value[name] : undefined))?.[0]
}
