// What servers are run with, and the ports through which they reach people.
import type { AskForm } from '#registry/form.ts'
import type { ModelMessage } from '#model/message.ts'
import type { Log } from '#registry/types.ts'

/** What a server asks the model. */
export interface SampleRequest {
  system?: string
  messages: ModelMessage[]
  /** Of the answer, in tokens. */
  maxTokens?: number
}
export interface Sampled {
  text: string
  /** Which model it was, for the server. */
  model: string
  /** Whether the answer ended before the model had finished. */
  cut: boolean
}

/** One request to the model, without tools. A rejection is told to the server without its reason. */
export type Sample = (request: SampleRequest, signal: AbortSignal) => Promise<Sampled>

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
  /** For the servers that are configured for it; absent: there is no model to ask. */
  readonly sample?: Sample
  /** How requests to remote servers leave. */
  readonly fetch: typeof globalThis.fetch
  /** Absolute; credentials of remote servers are kept below it. */
  readonly stateDirectory: string
  readonly version: string
}
