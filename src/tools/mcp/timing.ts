// The times of the house for servers, in milliseconds. Tests pass shorter ones.

export interface Timing {
  /** From the start of a server to its first answer. */
  handshake: number
  /** A list, a prompt, a resource. */
  request: number
  /** A call without progress. */
  call: number
  /** Before the first reconnection; doubled up to `longestBackoff`. */
  backoff: number
  longestBackoff: number
  /** How long a server must have been up for its next failure to count as the first. */
  stable: number
  /** Between two refreshes of a list that keeps changing. */
  refresh: number
  /** How long a person may take to authorize in the browser. */
  authorization: number
}

export const TIMING: Timing = {
  handshake: 30_000,
  request: 30_000,
  call: 600_000,
  backoff: 500,
  longestBackoff: 30_000,
  stable: 30_000,
  refresh: 200,
  authorization: 600_000,
}

/** Reconnections in a row. */
export const MAX_TRIES = 10
