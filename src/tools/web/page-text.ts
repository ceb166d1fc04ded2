// What a fetched body says: HTML as Markdown, other text as it is.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import iconv from 'iconv-lite'
import { decodeText } from '#workspace/encoding.ts'

export interface FetchedBody {
  bytes: Buffer
  contentType: string | undefined
  /** What relative links start from. */
  base: string
}

/** `undefined`: the body is no text. HTML that can't be converted in time comes as it is. */
export async function pageText(
  { bytes: body, contentType, base }: FetchedBody,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [type = ''] = (contentType ?? '').split(';')
  const kind = type.trim().toLowerCase()
  if (kind !== '' && !isTextual(kind)) return undefined
  const text = await decodeBody(body, contentType)
  if (text === undefined) return undefined
  const isHtml =
    kind === 'text/html' ||
    kind === 'application/xhtml+xml' ||
    (kind === '' && /^\s*<(?:!doctype|html)/i.test(text))
  return isHtml ? ((await convert({ html: text, base }, signal)) ?? text) : text
}

function isTextual(kind: string): boolean {
  return (
    kind.startsWith('text/') ||
    /[/+](?:json|xml|yaml|toml|javascript|ecmascript|x-ndjson|x-sh|sql)$/.test(kind)
  )
}

/** By the byte order mark, the header, the page's own word, or as UTF-8 where that fits. */
async function decodeBody(body: Buffer, contentType: string | undefined): Promise<string | undefined> {
  const named = /charset=["']?([\w:.-]+)/i.exec(contentType ?? '')?.[1]
  const meta = /<meta[^>]+charset=["']?([\w:.-]+)/i.exec(body.toString('latin1', 0, 4096))?.[1]
  const charset = named ?? meta
  const isOther = charset !== undefined && !/^utf-?8$/i.test(charset) && iconv.encodingExists(charset)
  if (isOther) return iconv.decode(body, charset)
  return (await decodeText(body))?.text ?? (body.includes(0) ? undefined : body.toString('utf8'))
}

/** In the bundle the worker lies beside the chunk that this module is in. */
const WORKER = import.meta.url.endsWith('.ts') ? './markdown-worker.ts' : './markdown-worker.js'
const CONVERT_MS = 10_000
/** MiB. */
const MEMORY = 512

/** Some pages take for ever, or all memory: so it happens beside this thread, which ends it. `undefined`: it failed. */
async function convert(
  input: { html: string; base: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const worker = new Worker(new URL(WORKER, import.meta.url), {
    workerData: input,
    env: {},
    // Not what this process was started with: nothing preloaded there has a business here.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  })
  try {
    const until = AbortSignal.any([signal, AbortSignal.timeout(CONVERT_MS)])
    const [markdown] = (await once(worker, 'message', { signal: until })) as [string]
    return markdown
  } catch {
    signal.throwIfAborted()
    return undefined
  } finally {
    await worker.terminate()
  }
}
