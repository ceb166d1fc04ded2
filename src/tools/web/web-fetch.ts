// web_fetch: a page of the web as text.
import type { InferValue } from '#json/spec.ts'
import { thrownMessage } from '#json/thrown.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolError } from '#registry/errors.ts'
import { code, type WebFetchView } from '#registry/view.ts'
import { cutUnits } from '#workspace/text.ts'
import type { AddressRule } from './address.ts'
import type { Environment } from './exchange.ts'

export interface WebFetchOptions {
  /** Host names, `*.example.org`, addresses or ranges beyond the public ones that may be reached. */
  allowedAddresses?: readonly string[]
  /** Where proxies are named; that of this process by default. */
  environment?: Environment
}

const TIME_MS = 30_000
const MAX_BYTES = 5 * 1024 * 1024
const DEFAULT_CHARS = 40_000
const MAX_CHARS = 200_000

const PAGE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: { type: 'string', required: true, description: 'after redirects within the host' },
    statusCode: { type: 'integer', required: true },
    contentType: { type: 'string' },
    text: { type: 'string', required: true },
    totalChars: { type: 'integer', required: true },
    truncated: { type: 'boolean', required: true },
    movedTo: { type: 'string', description: 'another host that the page has moved to' },
  },
} as const
type PageValue = InferValue<typeof PAGE_SCHEMA>

type FetchArgs = { url: string; max_chars?: number }

export function webFetchTool({
  allowedAddresses = [],
  environment = process.env,
}: WebFetchOptions = {}): ToolDefinition {
  let rule: Promise<AddressRule> | undefined
  const ruled = async (): Promise<AddressRule> => {
    rule ??= import('./address.ts').then(({ createAddressRule }) => createAddressRule(allowedAddresses))
    return rule
  }
  return defineTool({
    name: 'web_fetch',
    description:
      'Fetches a page of the web (http or https, at most 5 MiB in 30 s); HTML comes as Markdown. Redirects to another ' +
      'host are not followed but reported. Private and local addresses are refused.',
    parameters: {
      url: { type: 'string', required: true, description: 'The whole address.' },
      max_chars: {
        type: 'integer',
        description: 'Characters of text to return. Default 40000, maximum 200000.',
      },
    },
    output: {
      schema: PAGE_SCHEMA,
      render: (_args, value) => [{ type: 'text', text: pageReport(value) }],
      presentationMeta: (_args, { url, statusCode, truncated }) => ({ url, statusCode, truncated }),
    },
    isConcurrencySafe: () => true,
    violations: violationsOf,
    preview: async (args) => refuseEarly(args, await ruled()),
    execute: async (args, exec) => fetchText(args, { rule: await ruled(), environment }, exec.signal),
    presentCall: ({ url }) => ({
      card: 'generic',
      title: `Fetch ${code(url)}`,
      kind: 'fetch',
      rawInput: { url },
    }),
    presentResult: (_args, { isError, meta }) => (isError ? undefined : fetchedView(meta)),
  })
}

function fetchedView(meta: JsonValue | undefined): WebFetchView | undefined {
  if (!isJsonObject(meta)) return undefined
  const { url, statusCode, truncated } = meta
  if (typeof url !== 'string' || typeof statusCode !== 'number') return undefined
  return { card: 'web', kind: 'fetch', url, statusCode, truncated: truncated === true }
}

async function fetchText(
  { url, max_chars: asked = DEFAULT_CHARS }: FetchArgs,
  reach: { rule: AddressRule; environment: Environment },
  caller: AbortSignal,
): Promise<PageValue> {
  const timeout = AbortSignal.timeout(TIME_MS)
  const signal = AbortSignal.any([caller, timeout])
  const { fetchPage } = await import('./fetch-page.ts')
  const page = await fetchPage({ url, maxBytes: MAX_BYTES, signal }, reach).catch((error: unknown) => {
    throw webError(url, error, { caller, timeout })
  })
  const contentType = page.headers['content-type']
  const { pageText } = await import('./page-text.ts')
  const text =
    page.movedTo === undefined
      ? await pageText({ bytes: page.body, contentType, base: page.url }, caller)
      : ''
  if (text === undefined) {
    throw new ToolError(
      'WEB_NOT_TEXT',
      `${page.url} is ${contentType ?? 'binary'} (HTTP ${page.status}), which is no text`,
    )
  }
  const shown = cutUnits(text, Math.min(asked, MAX_CHARS))
  return {
    url: page.url,
    statusCode: page.status,
    ...(contentType !== undefined && { contentType }),
    text: shown,
    totalChars: text.length,
    truncated: shown.length < text.length || page.cut,
    ...(page.movedTo !== undefined && { movedTo: page.movedTo }),
  }
}

/** Throws a `ToolError` where nobody need be asked. */
async function refuseEarly({ url }: FetchArgs, rule: AddressRule): Promise<undefined> {
  const { checkAddress } = await import('./fetch-page.ts')
  checkAddress(url, rule)
}

function violationsOf({ max_chars: asked = 1 }: FetchArgs): string[] {
  return asked < 1 ? [`max_chars must be at least 1, got ${asked}`] : []
}

function webError(
  url: string,
  error: unknown,
  signals: { caller: AbortSignal; timeout: AbortSignal },
): unknown {
  if (error instanceof ToolError) return error
  if (signals.caller.aborted)
    return new ToolError('ABORTED', `fetching ${url} was cancelled`, { cause: error })
  if (signals.timeout.aborted) {
    return new ToolError('WEB_TIMEOUT', `${url} did not answer within ${TIME_MS / 1000} s`, { cause: error })
  }
  return new ToolError('WEB_FAILED', `fetching ${url} failed: ${thrownMessage(error)}`, { cause: error })
}

function pageReport({ url, statusCode, text, totalChars, truncated, movedTo }: PageValue): string {
  if (movedTo !== undefined) {
    return `${url} redirects to another host (HTTP ${statusCode}): ${movedTo}\nFetch that address if you want it.`
  }
  const size = truncated ? `; cut after ${text.length} of ${totalChars} characters` : ''
  return `${text === '' ? '(the page has no text)' : text}\n\n[HTTP ${statusCode} from ${url}${size}]`
}
