// What grep is asked, and its canonical value by what was asked for.
import type { InferValue } from '#json/spec.ts'

export type GrepArgs = {
  pattern: string
  path?: string
  include?: string
  ignore_case?: boolean
  multiline?: boolean
  context?: number
  output?: 'matches' | 'files' | 'count'
  include_ignored?: boolean
  offset?: number
  limit?: number
}

const COUNTED = {
  root: { type: 'string', required: true },
  offset: { type: 'integer', required: true },
  total: { type: 'integer', required: true, description: 'matches, or files where files are listed' },
  truncated: { type: 'boolean', required: true },
  atLeast: { type: 'boolean', description: 'the total is a lower bound' },
} as const

const LINE = {
  type: 'object',
  additionalProperties: false,
  properties: {
    lineNumber: { type: 'integer', required: true },
    line: { type: 'string', required: true },
    context: { type: 'boolean', description: 'stands beside a match' },
  },
} as const

const FILE = {
  type: 'object',
  additionalProperties: false,
  properties: {
    path: { type: 'string', required: true },
    matches: { type: 'array', items: LINE, required: true },
  },
} as const

const COUNT = {
  type: 'object',
  additionalProperties: false,
  properties: { path: { type: 'string', required: true }, count: { type: 'integer', required: true } },
} as const

export const GREP_SCHEMA = {
  oneOf: [
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        output: { type: 'string', const: 'matches', required: true },
        ...COUNTED,
        files: { type: 'array', items: FILE, required: true },
      },
    },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        output: { type: 'string', const: 'files', required: true },
        ...COUNTED,
        paths: { type: 'array', items: { type: 'string' }, required: true },
      },
    },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        output: { type: 'string', const: 'count', required: true },
        ...COUNTED,
        counts: { type: 'array', items: COUNT, required: true },
        matches: { type: 'integer', required: true },
      },
    },
  ],
} as const

export type GrepValue = InferValue<typeof GREP_SCHEMA>
