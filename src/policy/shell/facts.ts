// What policy knows about a command line: its simple commands, what they redirect, and what can't be judged.
import type { ShellWord } from './word.ts'

/** A file that a redirection opens. */
export interface Redirected {
  access: 'read' | 'write'
  operator: string
  descriptor: string
  /** `undefined` when it is not known before the line runs. */
  target: string | undefined
}

export interface SimpleCommand {
  /** Empty for a command of redirections only. */
  words: readonly ShellWord[]
  redirected: readonly Redirected[]
  /** Behind the keyword `time`: the words of that keyword and its options. */
  timed: readonly string[]
  /** Reads a here-document or here-string. */
  fed: boolean
}

export interface ShellLine {
  /** The line as written. */
  source: string
  /** Every one in it, those of pipelines, lists, functions and substitutions included. */
  commands: readonly SimpleCommand[]
  /** Of compound commands: `{ …; } > file`. */
  redirected: readonly Redirected[]
  /** Names of functions that it defines. */
  functions: readonly string[]
  /** Why no rule can allow it; empty when rules can. */
  cautions: readonly string[]
  /** The parser and we are not sure what it says. */
  unreadable: boolean
}
