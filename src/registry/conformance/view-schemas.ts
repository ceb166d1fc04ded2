// The shapes of all views, as schemas: what a presenter may return (cards.md §1).
import type { ObjectSpec, PropertiesSpec, PropertySpec, ValueSpec } from '#json/spec.ts'
import type { ToolCallView, ToolResultView } from '#registry/view.ts'
import type { JsonValue } from '#json/value.ts'

const string = { type: 'string' } as const
const required = { type: 'string', required: true } as const
const count = { type: 'integer', required: true } as const
const flag = { type: 'boolean', required: true } as const

function closed<const P extends PropertiesSpec>(properties: P) {
  return { type: 'object', additionalProperties: false, properties } as const
}
function list<const S extends ValueSpec>(items: S) {
  return { type: 'array', items } as const
}
function must<const S extends ValueSpec>(spec: S) {
  return { ...spec, required: true } as const
}
function tag<const T extends string>(value: T) {
  return { type: 'string', const: value, required: true } as const
}

const kind = {
  type: 'string',
  enum: ['read', 'edit', 'delete', 'move', 'search', 'execute', 'fetch', 'other', 'think', 'switch_mode'],
} as const
/** The blocks themselves are checked where all content is checked. */
const content = list({ type: 'json' })
const locations = list(closed({ path: required, line: { type: 'integer' } }))
const diffs = must(
  list(
    closed({
      path: required,
      oldText: { oneOf: [{ type: 'string' }, { type: 'null' }], required: true },
      newText: required,
    }),
  ),
)
const counts = { title: string, truncated: flag, total: count, atLeast: { type: 'boolean' } } as const
const match = closed({ lineNumber: count, line: required })
const source = closed({ url: required, title: string, snippet: string, publishedAt: string })

/** The members of one card; a view is the member whose constants it has. */
export type Members = readonly (ObjectSpec & { properties: { card: PropertySpec } })[]

export const CALL_VIEWS = {
  generic: [
    closed({ card: tag('generic'), title: required, kind, rawInput: { type: 'json' }, content, locations }),
  ],
  terminal: [closed({ card: tag('terminal'), title: required, description: string, cwd: string })],
  diff: [
    closed({
      card: tag('diff'),
      title: required,
      diffs,
      locations,
      kind: { type: 'string', enum: ['edit', 'delete', 'move'] },
    }),
  ],
} as const satisfies Record<ToolCallView['card'], Members>

export const RESULT_VIEWS = {
  generic: [closed({ card: tag('generic'), title: string, content })],
  terminal: [
    closed({
      card: tag('terminal'),
      title: string,
      output: string,
      exitCode: { type: 'integer' },
      signal: string,
      note: string,
    }),
  ],
  diff: [closed({ card: tag('diff'), title: string, diffs, locations })],
  read: [
    closed({
      card: tag('read'),
      title: string,
      path: required,
      offset: count,
      lines: must(list(closed({ number: count, text: required }))),
      totalLines: count,
      lang: string,
      content,
    }),
  ],
  search: [
    closed({
      card: tag('search'),
      shape: tag('matches'),
      files: must(list(closed({ path: required, matches: must(list(match)) }))),
      ...counts,
    }),
    closed({ card: tag('search'), shape: tag('paths'), paths: must(list(string)), ...counts }),
  ],
  web: [
    closed({
      card: tag('web'),
      kind: tag('search'),
      title: string,
      sources: must(list(source)),
      answer: string,
      truncated: flag,
    }),
    closed({
      card: tag('web'),
      kind: tag('fetch'),
      title: string,
      url: required,
      statusCode: count,
      truncated: flag,
    }),
  ],
} as const satisfies Record<ToolResultView['card'], Members>

/** The properties that have one value only: they tell the members of a union apart. */
export function tagsOf({ properties }: Members[number]): [name: string, value: JsonValue][] {
  return Object.entries(properties as PropertiesSpec).flatMap(([name, spec]) =>
    'const' in spec ? [[name, spec.const] as [string, JsonValue]] : [],
  )
}

/** Whether a view has the constants of the member; what else it holds is for the member's schema. */
export function isMember(view: { readonly [name: string]: unknown }, member: Members[number]): boolean {
  return tagsOf(member).every(([name, value]) => view[name] === value)
}
