// What servers are run with, and the ports through which they reach people.
import type { JsonObject } from '#json/value.ts'
import type { Log } from '#registry/types.ts'

/** A question of a server, as the protocol's form elicitation has it. */
export interface FormQuestion {
  /** Who asks. */
  server: string
  message: string
  /** A flat object schema of strings, numbers, booleans and choices. */
  schema: JsonObject
}
export type FormAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' }
  | { action: 'cancel' }

/** Asks the person; aborting `signal` retracts the question. A rejection declines. */
export type AskForm = (question: FormQuestion, signal: AbortSignal) => Promise<FormAnswer>

/** What all servers of a session share. */
export interface ServerHost {
  /** Absolute; stdio servers run there. */
  readonly cwd: string
  readonly roots: readonly string[]
  /** Scrubbed before a server gets it. */
  readonly environment: NodeJS.ProcessEnv
  readonly log: Log
  /** Asked for when a server is connected; undefined: it is told that nobody can be asked. */
  form(): AskForm | undefined
  /** How requests to remote servers leave. */
  readonly fetch: typeof globalThis.fetch
  /** Absolute; credentials of remote servers are kept below it. */
  readonly stateDirectory: string
  readonly version: string
}
