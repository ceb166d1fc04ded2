// The shape of the read-only table, and of what a command of it looks at.

export interface Reader {
  /**
   * Separated by spaces. `-x` and `--long`: no value. `?` behind it: may have a value attached, and the next word is
   * judged as an operand whether or not it is the value. `@`: the attached value is a path. `-#`: digits. `*`: any.
   */
  flags: string
  /**
   * `pattern`: the first is text, the others are paths. Words of text are not paths; all others are judged as such
   * even where they are something else, such as a revision.
   */
  operands: 'none' | 'text' | 'paths' | 'pattern' | 'find' | 'test'
  /** Flags with which all operands are paths, the first too. */
  patternless?: string
  /** What the first operand must match. */
  first?: RegExp
  /** What every operand must match. */
  each?: RegExp
  /** A word that must be there. */
  needs?: RegExp
  needsOperand?: true
  /** Operands at most: one more would be written to. */
  most?: number
  /** Does not depend on the directory that it runs in. */
  anywhere?: true
  /** Reads the contents of whole directories. */
  deep?: boolean
  /** Trusts the configuration of the repository around it. */
  git?: true
  sub?: Readonly<Record<string, Reader>>
}

/** A path that a command looks at: relative to the directory that it runs in. */
export interface PathNeed {
  path: string
  /** `*` in it is a wildcard. */
  glob: boolean
  /** Everything below counts as well. */
  deep: boolean
}

export interface Reading {
  paths: readonly PathNeed[]
  anywhere: boolean
  git: boolean
}
