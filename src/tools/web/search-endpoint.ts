// Search endpoints and their ways of asking and answering.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import { assertNever, type WebSource } from '#registry/view.ts'

export type SearchEndpoint =
  /** The base address of an instance that has the JSON format enabled. */
  | { kind: 'searxng'; url: string }
  | { kind: 'brave'; key: string; url?: string }
  | { kind: 'tavily'; key: string; url?: string }

export interface SearchRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

export interface SearchAnswer {
  sources: WebSource[]
  answer?: string
}

const JSON_HEADERS = { accept: 'application/json' }

export function searchRequest(endpoint: SearchEndpoint, query: string, limit: number): SearchRequest {
  switch (endpoint.kind) {
    case 'searxng': {
      const url = new URL(`${endpoint.url.replace(/\/+$/, '')}/search`)
      url.search = new URLSearchParams({ q: query, format: 'json' }).toString()
      return { url: url.href, method: 'GET', headers: JSON_HEADERS }
    }
    case 'brave': {
      const url = new URL(endpoint.url ?? 'https://api.search.brave.com/res/v1/web/search')
      url.search = new URLSearchParams({ q: query, count: String(limit), text_decorations: '0' }).toString()
      return {
        url: url.href,
        method: 'GET',
        headers: { ...JSON_HEADERS, 'x-subscription-token': endpoint.key },
      }
    }
    case 'tavily':
      return {
        url: endpoint.url ?? 'https://api.tavily.com/search',
        method: 'POST',
        headers: {
          ...JSON_HEADERS,
          'content-type': 'application/json',
          authorization: `Bearer ${endpoint.key}`,
        },
        body: JSON.stringify({ query, max_results: limit, include_answer: true }),
      }
    default:
      return assertNever(endpoint)
  }
}

/** Throws a `TypeError` when the answer has not the endpoint's shape. */
export function searchAnswer({ kind }: SearchEndpoint, answer: JsonValue): SearchAnswer {
  if (!isJsonObject(answer)) throw new TypeError('the answer is no JSON object')
  switch (kind) {
    case 'searxng':
      return {
        sources: sourcesOf(answer['results'], { snippet: 'content', publishedAt: 'publishedDate' }),
        ...answered(firstAnswer(answer['answers'])),
      }
    case 'brave': {
      const { web } = answer
      const results = web === undefined ? [] : isJsonObject(web) ? web['results'] : undefined
      return { sources: sourcesOf(results, { snippet: 'description', publishedAt: 'page_age' }) }
    }
    case 'tavily':
      return {
        sources: sourcesOf(answer['results'], { snippet: 'content', publishedAt: 'published_date' }),
        ...answered(answer['answer']),
      }
    default:
      return assertNever(kind)
  }
}

function sourcesOf(
  results: JsonValue | undefined,
  names: { snippet: string; publishedAt: string },
): WebSource[] {
  if (!Array.isArray(results)) throw new TypeError('the answer has no list of results')
  return results.flatMap((result) => {
    if (!isJsonObject(result) || typeof result['url'] !== 'string' || !/^https?:/i.test(result['url']))
      return []
    return [
      {
        url: result['url'],
        ...field(result, 'title', 'title'),
        ...field(result, names.snippet, 'snippet'),
        ...field(result, names.publishedAt, 'publishedAt'),
      },
    ]
  })
}

function field(result: JsonObject, from: string, to: string): Record<string, string> {
  const value = result[from]
  return typeof value === 'string' && value.trim() !== '' ? { [to]: value.trim() } : {}
}

/** Newer versions give objects, older ones texts. */
function firstAnswer(answers: JsonValue | undefined): JsonValue | undefined {
  const [first] = Array.isArray(answers) ? answers : []
  return isJsonObject(first) ? first['answer'] : first
}

function answered(answer: JsonValue | undefined): { answer?: string } {
  return typeof answer === 'string' && answer.trim() !== '' ? { answer: answer.trim() } : {}
}
