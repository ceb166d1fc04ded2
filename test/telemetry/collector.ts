// An OTLP collector on this machine: takes spans over HTTP as JSON.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface CollectedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Record<string, unknown>
  failed: boolean
}

export interface Collector {
  url: string
  spans: CollectedSpan[]
  /** What came over the wire. */
  bodies: string[]
}

type Value = { stringValue?: string; intValue?: number | string; arrayValue?: { values: Value[] } }

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      bodies.push(body)
      spans.push(...spansOf(body))
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies }
}

function spansOf(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body)
  // oxlint-disable-next-line typescript/no-explicit-any
  const raw = resourceSpans.flatMap(({ scopeSpans }: any) => scopeSpans.flatMap(({ spans }: any) => spans))
  // oxlint-disable-next-line typescript/no-explicit-any
  return raw.map(({ attributes, status, ...span }: any) => ({
    ...span,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }: { key: string; value: Value }) => [key, plain(value)]),
    ),
    failed: status?.code === 2,
  }))
}

function plain(value: Value): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(plain)
  return value.stringValue ?? Number(value.intValue)
}
