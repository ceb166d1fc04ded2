// The shapes of all views, as schemas: what a presenter may return (cards.md §1).
import type { PropertiesSpec, PropertySpec, ValueSpec } from '#json/spec.ts'

const string = { type: 'string' } as const
const required = { type: 'string', required: true } as const
const count = { type: 'integer', required: true } as const
const flag = { type: 'boolean', required: true } as const

function closed(properties: PropertiesSpec): ValueSpec & { type: 'object' } {
  return { type: 'object', additionalProperties: false, properties }
}
function list(items: ValueSpec): ValueSpec & { type: 'array' } {
  return { type: 'array', items }
}
function must<S extends ValueSpec>(spec: S): S & { required: true } {
  return { ...spec, required: true }
}
function tag(value: string): PropertySpec {
  return { type: 'string', const: value, required: true }
}

const KINDS = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'fetch',
  'other',
  'think',
  'switch_mode',
]

/** The blocks themselves are checked where all content is checked. */
const content = list({ type: 'json' })
const locations = list(closed({ path: required, line: { type: 'integer' } }))
const diffs = must(
  list(
    closed({
      path: required,
      oldText: must<ValueSpec>({ oneOf: [{ type: 'string' }, { type: 'null' }] }),
      newText: required,
    }),
  ),
)
const counts = { title: string, truncated: flag, total: count, atLeast: { type: 'boolean' } } as const
const match = closed({ lineNumber: count, line: required })

/** By card. */
export const CALL_VIEWS: Readonly<Record<string, ValueSpec>> = {
  generic: closed({
    card: tag('generic'),
    title: required,
    kind: { ...string, enum: KINDS },
    rawInput: { type: 'json' },
    content,
    locations,
  }),
  terminal: closed({ card: tag('terminal'), title: required, description: string, cwd: string }),
  diff: closed({
    card: tag('diff'),
    title: required,
    diffs,
    locations,
    kind: { ...string, enum: ['edit', 'delete', 'move'] },
  }),
}

/** By card, and by what tells the members of one card apart. */
export const RESULT_VIEWS: Readonly<Record<string, ValueSpec>> = {
  generic: closed({ card: tag('generic'), title: string, content }),
  terminal: closed({
    card: tag('terminal'),
    title: string,
    output: string,
    exitCode: { type: 'integer' },
    signal: string,
    note: string,
  }),
  diff: closed({ card: tag('diff'), title: string, diffs, locations }),
  read: closed({
    card: tag('read'),
    title: string,
    path: required,
    offset: count,
    lines: must(list(closed({ number: count, text: required }))),
    totalLines: count,
    lang: string,
    content,
  }),
  'search matches': closed({
    card: tag('search'),
    shape: tag('matches'),
    files: must(list(closed({ path: required, matches: must(list(match)) }))),
    ...counts,
  }),
  'search paths': closed({ card: tag('search'), shape: tag('paths'), paths: must(list(string)), ...counts }),
  'web search': closed({
    card: tag('web'),
    kind: tag('search'),
    title: string,
    sources: must(list(closed({ url: required, title: string, snippet: string, publishedAt: string }))),
    answer: string,
    truncated: flag,
  }),
  'web fetch': closed({
    card: tag('web'),
    kind: tag('fetch'),
    title: string,
    url: required,
    statusCode: count,
    truncated: flag,
  }),
}
