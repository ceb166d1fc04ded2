// A view is well-formed: a known card, its fields and no others, plain data.
import { valueSchemaSpecToJsonSchema } from '#json/convert.ts'
import { faultMessage, materialize } from '#json/materialize.ts'
import { compileSchema, type Validator } from '#json/validate.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import { contentFault } from '#registry/content.ts'
import { CALL_VIEWS, type Members, RESULT_VIEWS, tagsOf, isMember } from './view-schemas.ts'

export type ViewSide = 'call' | 'result'

const CARDS: Readonly<Record<ViewSide, Readonly<Record<string, Members>>>> = {
  call: CALL_VIEWS,
  result: RESULT_VIEWS,
}
const compiled = new Map<Members[number], Validator>()

/** What is wrong with a view, as sentences; none when it is well-formed. */
export function viewProblems(side: ViewSide, view: unknown): string[] {
  const copy = materialize(view)
  if (!copy.ok) return [faultMessage(copy.fault, copy.path, 'view')]
  if (!isJsonObject(copy.value)) return ['the view must be an object']
  const found = memberOf(side, copy.value)
  if (typeof found === 'string') return [`there is no ${side} card ${JSON.stringify(found)}`]
  return [...validatorOf(found)(copy.value, 'value'), ...rules(copy.value)]
}

/** The member that the view means to be, or the words that no member has. */
function memberOf(side: ViewSide, view: JsonObject): Members[number] | string {
  const card = wordOf(view, 'card')
  const members = Object.hasOwn(CARDS[side], card) ? (CARDS[side][card] ?? []) : []
  const found = members.find((member) => isMember(view, member))
  if (found !== undefined) return found
  const tags = members[0] === undefined ? ['card'] : tagsOf(members[0]).map(([name]) => name)
  return tags.map((name) => wordOf(view, name)).join(' ')
}

function wordOf(view: JsonObject, name: string): string {
  const word = view[name]
  return typeof word === 'string' ? word : '?'
}

function validatorOf(member: Members[number]): Validator {
  const known = compiled.get(member) ?? compileSchema(valueSchemaSpecToJsonSchema(member))
  compiled.set(member, known)
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
