// The `fetch` of one request: reports every byte, and refuses answers that are no stream.
import { ModelError } from './error.ts'
import { detailOf } from './error-detail.ts'

/**
 * `onBytes` is called for the headers and for each chunk of a body. A successful answer that is a web page or a JSON
 * document instead of a stream becomes a thrown error: `ModelError('protocol')`, or the JSON document's own error.
 */
export function watchedFetch(
  onBytes: () => void,
  title: string,
  fetch: typeof globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    onBytes()
    if (!response.ok || response.body === null) return response
    const type = response.headers.get('content-type') ?? ''
    if (/\btext\/html\b/i.test(type)) {
      await response.body.cancel()
      throw new ModelError(
        'protocol',
        `${title} answered with a web page instead of a model's stream; check the base URL.`,
        { status: response.status },
      )
    }
    if (/\bapplication\/json\b/i.test(type)) return refuseDocument(response, title)
    return rebuilt(response, reporting(response.body, onBytes))
  }
}

/** The same bytes; a pipe through a transformer would cost more than all else that is done for a short answer. */
function reporting(body: ReadableStream<Uint8Array>, onBytes: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        onBytes()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function rebuilt(response: Response, body: ReadableStream | string): Response {
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}

/** Streams that are only labelled as JSON pass. */
async function refuseDocument(response: Response, title: string): Promise<Response> {
  const text = await response.text()
  if (!/^\s*[{[]/.test(text)) return rebuilt(response, text)
  const detail = detailOf(text)
  if (detail.error !== undefined) throw detail.error
  throw new ModelError(
    'protocol',
    `${title} answered with a document instead of a stream; check the base URL.`,
    {
      status: response.status,
    },
  )
}
