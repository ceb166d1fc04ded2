// Spans for whoever watches this process: OpenTelemetry's where an SDK was preloaded, nothing at all otherwise.

export type Attributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>

/** What a caller sent along: `traceparent` and `tracestate` as W3C writes them. */
export type TraceCarrier = Readonly<Record<string, string>>

/** Holds no text of a person, a model or a tool: names, numbers and codes only. */
export interface Span {
  /** Undefined values are left out. */
  set(attributes: Attributes): void
  /** Marks it as failed with a code of a small set. */
  fail(type: string): void
}

export interface SpanInit {
  name: string
  kind: 'internal' | 'client'
  attributes: Attributes
  /** Default: the span that the caller runs in. */
  parent?: Span | undefined
  /** A parent in another process; counts where there is none in this one. */
  carrier?: TraceCarrier | undefined
}

/** A span that began; `within` runs work inside it, so that what the work begins is its child. */
export interface OpenSpan extends Span {
  within<T>(work: () => T): T
  end(): void
}

const UNWATCHED: Span = { set: () => undefined, fail: () => undefined }

/** What a listener is told of a span that has ended. */
export interface EndedSpan {
  name: string
  attributes: Attributes
  milliseconds: number
}

const listeners = new Set<(span: EndedSpan) => void>()

/** Tells of every span that ends. Listeners must not throw. */
export function onSpanEnd(listener: (span: EndedSpan) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Where the API of every copy and version 1 keeps what an SDK registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

/** Whether spans reach anybody. Costs nothing: the API is loaded with the first span for an SDK. */
export function isWatched(): boolean {
  return listeners.size > 0 || isExported()
}

function isExported(): boolean {
  return (globalThis as { [REGISTERED]?: { trace?: unknown } })[REGISTERED]?.trace !== undefined
}

/** Runs the work inside a span that ends with it. A rejection fails the span by its code and is passed on. */
export function traced<T>(init: SpanInit, work: (span: Span) => Promise<T>): Promise<T> {
  return isWatched() ? watched(init, work) : work(UNWATCHED)
}

async function watched<T>(init: SpanInit, work: (span: Span) => Promise<T>): Promise<T> {
  const span = await open(init)
  try {
    return await span.within(() => work(span))
  } catch (thrown) {
    span.fail(codeOf(thrown))
    throw thrown
  } finally {
    span.end()
  }
}

/** The items of a source that works inside a span: it ends with the source, or when nobody wants more. */
export function tracedStream<T>(
  init: SpanInit,
  source: () => AsyncIterable<T>,
  see: (span: Span, item: T) => void,
): AsyncIterable<T> {
  return isWatched() ? watchedStream(init, source, see) : source()
}

async function* watchedStream<T>(
  init: SpanInit,
  source: () => AsyncIterable<T>,
  see: (span: Span, item: T) => void,
): AsyncGenerator<T> {
  const span = await open(init)
  let iterator: AsyncIterator<T> | undefined
  let done = false
  try {
    const items = (iterator = span.within(() => source()[Symbol.asyncIterator]()))
    for (;;) {
      const next = await span.within(() => items.next())
      if (next.done === true) break
      see(span, next.value)
      yield next.value
    }
    done = true
  } catch (thrown) {
    done = true
    span.fail(codeOf(thrown))
    throw thrown
  } finally {
    if (!done) await iterator?.return?.()
    span.end()
  }
}

async function open(init: SpanInit): Promise<OpenSpan> {
  const span = isExported()
    ? (await import('./open-span.ts')).openSpan(init)
    : { ...UNWATCHED, within: <T>(work: () => T): T => work(), end: () => undefined }
  if (listeners.size > 0) tellEnd(span, init)
  return span
}

function tellEnd(span: OpenSpan, { name, attributes }: SpanInit): void {
  const start = performance.now()
  const { set, fail, end } = span
  let known = attributes
  span.set = (more) => {
    known = { ...known, ...more }
    set(more)
  }
  span.fail = (type) => {
    known = { ...known, 'error.type': type }
    fail(type)
  }
  span.end = () => {
    end()
    const milliseconds = Math.round(performance.now() - start)
    const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined))
    for (const listener of listeners) listener({ name, attributes: given, milliseconds })
  }
}

/** Codes of errors are of small sets; their messages may quote anything. */
function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown'
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name
}

/** Hands over what has ended and is still held back. Never rejects. */
export async function flushSpans(): Promise<void> {
  if (isExported()) await (await import('./open-span.ts')).flush()
}
