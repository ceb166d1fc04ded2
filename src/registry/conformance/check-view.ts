// A view is well-formed: a known card, its fields and no others, plain data.
import { valueSchemaSpecToJsonSchema } from '#json/convert.ts'
import { faultMessage, materialize } from '#json/materialize.ts'
import { compileSchema, type Validator } from '#json/validate.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import { contentFault } from '#registry/content.ts'
import { CALL_VIEWS, RESULT_VIEWS } from './view-schemas.ts'

export type ViewSide = 'call' | 'result'

const compiled = new Map<string, Validator>()

/** What is wrong with a view, as sentences; none when it is well-formed. */
export function viewProblems(side: ViewSide, view: unknown): string[] {
  const copy = materialize(view)
  if (!copy.ok) return [faultMessage(copy.fault, copy.path, 'view')]
  if (!isJsonObject(copy.value)) return ['the view must be an object']
  const check = validatorOf(side, copy.value)
  if (check === undefined) return [`there is no ${side} card ${JSON.stringify(variantOf(copy.value))}`]
  return [...check(copy.value, 'value'), ...rules(copy.value)]
}

/** The card, and what tells its members apart. */
function variantOf(view: JsonObject): string {
  const word = (name: string): string => (typeof view[name] === 'string' ? view[name] : '?')
  const card = word('card')
  if (card === 'search') return `${card} ${word('shape')}`
  return card === 'web' ? `${card} ${word('kind')}` : card
}

function validatorOf(side: ViewSide, view: JsonObject): Validator | undefined {
  const variant = variantOf(view)
  const specs = side === 'call' ? CALL_VIEWS : RESULT_VIEWS
  const spec = Object.hasOwn(specs, variant) ? specs[variant] : undefined
  if (spec === undefined) return undefined
  const key = `${side} ${variant}`
  const known = compiled.get(key) ?? compileSchema(valueSchemaSpecToJsonSchema(spec))
  compiled.set(key, known)
  return known
}

function rules(view: JsonObject): string[] {
  const problems: string[] = []
  if (Object.hasOwn(view, 'content')) {
    const fault = contentFault(view['content'] as JsonValue)
    if (fault !== undefined) problems.push(fault)
  }
  if (view['exitCode'] !== undefined && view['signal'] !== undefined)
    problems.push('exitCode or signal, never both')
  if (view['offset'] !== undefined && Number(view['offset']) < 1) problems.push('"offset" is 1-based')
  for (const place of Array.isArray(view['locations']) ? view['locations'] : []) {
    if (isJsonObject(place) && place['line'] !== undefined && Number(place['line']) < 1)
      problems.push('"line" is 1-based')
  }
  return problems
}
