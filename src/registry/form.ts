// Forms: a question to the person with fields to fill in. Asked by tools, shown by bridges.
import type { JsonObject } from '#json/value.ts'

export interface FormQuestion {
  /** The MCP server that asks; absent: the agent itself. */
  server?: string
  message: string
  /** A flat object schema of strings, numbers, booleans and choices. */
  schema: JsonObject
}

export type FormAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' }
  | { action: 'cancel' }

/** Aborting `signal` retracts the question. A rejection declines. */
export type AskForm = (question: FormQuestion, signal: AbortSignal) => Promise<FormAnswer>
