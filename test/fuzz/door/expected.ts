// What JSON-RPC owes to each line that a client writes.
export type Owed = { kind: 'answer'; id: string; method: string } | { kind: 'error' } | { kind: 'nothing' }

/** By the words of JSON-RPC 2.0, without batches: a request is answered under its id, what is no message is told. */
export function owedFor(line: string): Owed {
  const text = line.trim()
  if (text === '') return { kind: 'nothing' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'error' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'error' }
  const message = value as Record<string, unknown>
  const { id, method, jsonrpc } = message
  const named = Object.hasOwn(message, 'id')
  const isId = id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id))
  if (Object.hasOwn(message, 'method')) {
    if (jsonrpc !== '2.0' || typeof method !== 'string' || (named && !isId)) return { kind: 'error' }
    return named ? { kind: 'answer', id: JSON.stringify(id), method } : { kind: 'nothing' }
  }
  const responds = named || Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error')
  return { kind: responds ? 'nothing' : 'error' }
}

export class Ledger {
  readonly byId = new Map<string, string[]>()
  nameless = 0
  asked = 0

  owe(line: string): void {
    const owed = owedFor(line)
    if (owed.kind === 'error') this.nameless++
    if (owed.kind !== 'answer') return
    this.asked++
    this.byId.set(owed.id, [...(this.byId.get(owed.id) ?? []), owed.method])
  }
}
