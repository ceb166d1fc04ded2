// What the bridge asks about authentication: whether a provider is usable, and how to change that.

export interface Auth {
  /** Why no model can be used, as one sentence that says what to set; undefined when one can. */
  problem(): string | undefined
  /** How a person logs in from a terminal, where the program offers that. */
  readonly login?: Login
  /** Forgets a stored key; undefined where keys are not stored. */
  logout?(): Promise<void>
}

export interface Login {
  command: string
  /** Before the word `login`. */
  args: readonly string[]
}
