// Spans over the OpenTelemetry API, which shares what an SDK registered whichever copy of the API that used. Loaded late.
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context, Span as ApiSpan } from '@opentelemetry/api'
import type { OpenSpan, Span, SpanInit } from './span.ts'

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT }

const contexts = new WeakMap<Span, Context>()

/** The caller ends it. */
export function openSpan({ name, kind, attributes, parent, carrier }: SpanInit): OpenSpan {
  const outer = (parent && contexts.get(parent)) ?? outerContext(carrier)
  const inner = trace.getTracer('deckhand').startSpan(name, { kind: KINDS[kind], attributes }, outer)
  const active = trace.setSpan(outer, inner)
  const span: OpenSpan = {
    set: (more) => void inner.setAttributes(more),
    fail: (type) => fail(inner, type),
    within: (work) => context.with(active, work),
    end: () => inner.end(),
  }
  contexts.set(span, active)
  return span
}

function outerContext(carrier: SpanInit['carrier']): Context {
  const here = context.active()
  if (carrier === undefined || trace.getSpan(here) !== undefined) return here
  return propagation.extract(here, carrier)
}

function fail(span: ApiSpan, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** What the API doesn't know and every SDK's provider has. */
interface Flushing {
  getDelegate?(): Flushing
  forceFlush?(): Promise<void>
}

/** Never rejects. */
export async function flush(): Promise<void> {
  const provider = trace.getTracerProvider() as Flushing
  const real = provider.getDelegate?.() ?? provider
  await Promise.resolve(real.forceFlush?.()).catch(() => undefined)
}
