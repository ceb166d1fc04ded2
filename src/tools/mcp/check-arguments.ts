// Checking arguments against a server's schema, by a library that interprets it: nothing is compiled until it is used.
import { type OutputUnit, Validator } from '@cfworker/json-schema'
import { pointerSteps } from '#json/pointer.ts'
import type { JsonObject, JsonValue } from '#json/value.ts'

const MOST = 8
/** Keywords that only say that something below them does not fit. */
const ABOVE = new Set([
  'properties',
  'items',
  'prefixItems',
  'patternProperties',
  '$ref',
  'allOf',
  'then',
  'else',
])

/** Violations of a schema that `cleanSchema` gave. What the library can't decide is left to the server. */
export function argumentsCheck(schema: JsonObject): (args: JsonValue) => string[] {
  let validator: Validator | undefined
  return (args) => {
    try {
      validator ??= new Validator(schema, '2020-12', false)
      const { valid, errors } = validator.validate(args)
      return valid ? [] : violations(errors)
    } catch {
      return []
    }
  }
}

function violations(errors: readonly OutputUnit[]): string[] {
  const leaves = errors.filter(({ keyword }) => !ABOVE.has(keyword))
  const texts = new Set((leaves.length > 0 ? leaves : errors).map(text))
  const shown = [...texts].slice(0, MOST)
  return texts.size > MOST ? [...shown, `and ${texts.size - MOST} more`] : shown
}

function text({ instanceLocation, error }: OutputUnit): string {
  const path = pointerSteps(instanceLocation).reduce(
    (at, step) => (/^\d+$/.test(step) ? `${at}[${step}]` : `${at}.${step}`),
    'arguments',
  )
  return `"${path}": ${error}`
}
