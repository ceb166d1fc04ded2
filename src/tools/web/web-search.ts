// web_search: pages of the web by what they are about; present where an endpoint is configured.
import type { InferValue } from '#json/spec.ts'
import { thrownMessage } from '#json/thrown.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolError } from '#registry/errors.ts'
import { code, type WebSearchView, type WebSource } from '#registry/view.ts'
import { emptyOnes } from '#tools/filled.ts'
import { cutUnits } from '#workspace/text.ts'
import type { Environment } from './exchange.ts'
import { type SearchAnswer, searchAnswer, type SearchEndpoint, searchRequest } from './search-endpoint.ts'

const TIME_MS = 30_000
const MAX_BYTES = 5 * 1024 * 1024
const DEFAULT_LIMIT = 8
const MAX_LIMIT = 20
/** Characters of a snippet. */
const MAX_SNIPPET = 600

const SOURCE = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: { type: 'string', required: true },
    title: { type: 'string' },
    snippet: { type: 'string' },
    publishedAt: { type: 'string' },
  },
} as const
const FOUND_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    sources: { type: 'array', items: SOURCE, required: true },
    answer: { type: 'string' },
    truncated: { type: 'boolean', required: true },
  },
} as const
type Found = InferValue<typeof FOUND_SCHEMA>

export function webSearchTool(
  endpoint: SearchEndpoint,
  environment: Environment = process.env,
): ToolDefinition {
  return defineTool({
    name: 'web_search',
    description: 'Searches the web: titles, addresses and snippets of pages. Read a page with web_fetch.',
    parameters: {
      query: { type: 'string', required: true },
      limit: { type: 'integer', description: 'Results. Default 8, maximum 20.' },
    },
    output: {
      schema: FOUND_SCHEMA,
      render: (_args, value) => [{ type: 'text', text: listing(value) }],
      presentationMeta: (_args, { sources, answer, truncated }) => ({
        sources,
        truncated,
        ...(answer !== undefined && { answer }),
      }),
    },
    isConcurrencySafe: () => true,
    violations: violationsOf,
    execute: (args, exec) => search(endpoint, args, environment, exec.signal),
    presentCall: ({ query }) => ({
      card: 'generic',
      title: `Search the web for ${code(query)}`,
      kind: 'fetch',
      rawInput: { query },
    }),
    presentResult: (_args, { isError, meta }) => (isError ? undefined : sourcesView(meta)),
  })
}

type SearchArgs = { query: string; limit?: number }

function violationsOf({ query, limit = 1 }: SearchArgs): string[] {
  const few = limit < 1 ? [`limit must be at least 1, got ${limit}`] : []
  return [...emptyOnes({ query: query.trim() }), ...few]
}

async function search(
  endpoint: SearchEndpoint,
  { query, limit: asked = DEFAULT_LIMIT }: SearchArgs,
  environment: Environment,
  caller: AbortSignal,
): Promise<Found> {
  const limit = Math.min(asked, MAX_LIMIT)
  const { sources, answer } = await ask(endpoint, { query, limit, environment, caller })
  return {
    sources: sources.slice(0, limit).map(shortened),
    ...(answer !== undefined && { answer }),
    truncated: sources.length > limit,
  }
}

interface Asked {
  query: string
  limit: number
  environment: Environment
  caller: AbortSignal
}

async function ask(
  endpoint: SearchEndpoint,
  { query, limit, environment, caller }: Asked,
): Promise<SearchAnswer> {
  const timeout = AbortSignal.timeout(TIME_MS)
  const { url, ...request } = searchRequest(endpoint, query, limit)
  const target = new URL(url)
  const { exchange } = await import('./exchange.ts')
  try {
    const signal = AbortSignal.any([caller, timeout])
    const answer = await exchange(target, {
      ...request,
      maxBytes: MAX_BYTES,
      signal,
      environment,
    })
    if (answer.status !== 200) throw new Error(`it answered with HTTP ${answer.status}`)
    return searchAnswer(endpoint, JSON.parse(answer.body.toString('utf8')) as JsonValue)
  } catch (cause) {
    if (caller.aborted) throw new ToolError('ABORTED', 'the search was cancelled', { cause })
    const reason = timeout.aborted ? `no answer within ${TIME_MS / 1000} s` : thrownMessage(cause)
    throw new ToolError('WEB_SEARCH_FAILED', `the search endpoint at ${target.host} failed: ${reason}`, {
      cause,
    })
  }
}

function shortened(source: WebSource): WebSource {
  const { snippet } = source
  return snippet === undefined || snippet.length <= MAX_SNIPPET
    ? source
    : { ...source, snippet: `${cutUnits(snippet, MAX_SNIPPET)}…` }
}

function listing({ sources, answer, truncated }: Found): string {
  const rows = sources.map(({ url, title, snippet, publishedAt }, at) =>
    [
      `${at + 1}. ${title ?? url}${publishedAt === undefined ? '' : ` (${publishedAt})`}`,
      `   ${url}`,
      ...(snippet === undefined ? [] : [`   ${snippet.replaceAll(/\s+/g, ' ')}`]),
    ].join('\n'),
  )
  const found = rows.length === 0 ? ['No pages were found.'] : rows
  return [
    ...(answer === undefined ? [] : [answer]),
    ...found,
    ...(truncated ? ['[more results were cut]'] : []),
  ].join('\n\n')
}

function sourcesView(meta: JsonValue | undefined): WebSearchView | undefined {
  if (!isJsonObject(meta) || !Array.isArray(meta['sources'])) return undefined
  const sources = meta['sources'].flatMap((source) => {
    if (!isJsonObject(source) || typeof source['url'] !== 'string') return []
    const { url, title, snippet, publishedAt } = source
    return [
      {
        url,
        ...(typeof title === 'string' && { title }),
        ...(typeof snippet === 'string' && { snippet }),
        ...(typeof publishedAt === 'string' && { publishedAt }),
      },
    ]
  })
  const { answer, truncated } = meta
  return {
    card: 'web',
    kind: 'search',
    sources,
    ...(typeof answer === 'string' && { answer }),
    truncated: truncated === true,
  }
}
