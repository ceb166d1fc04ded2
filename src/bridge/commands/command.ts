// A slash command: what it is called, and what it may do. Its output is for the person; the model never sees it.
import type { AgentSession } from '#agent/port.ts'
import type { ContentBlock } from '#model/content.ts'
import type { FileDiff } from '#registry/view.ts'

/** A Markdown file that is a prompt. */
export interface PromptFile {
  /** What stands behind the slash. */
  name: string
  description: string
  /** What may be written behind the name. */
  hint?: string
  /** `$ARGUMENTS` in it stands for what was written behind the name. */
  text: string
}

/** The prompt files of a project. Must not reject. */
export type PromptFiles = (cwd: string) => Promise<PromptFile[]>

/** Something that is about to happen to files, to be allowed or not. */
export interface Question {
  title: string
  diffs: FileDiff[]
  /** The label of the button that allows it. */
  allow: string
  work(): Promise<string>
}

export interface CommandContext {
  readonly session: AgentSession
  /** What was written behind the name, trimmed. */
  readonly argument: string
  readonly commands: readonly Command[]
  readonly problems: readonly string[]
  /** Markdown for the person, shown when the command is done. */
  say(text: string): void
  /** Shows the changes, asks, and does them; the text that `work` gave, or undefined when it was not allowed. */
  confirm(question: Question): Promise<string | undefined>
  readonly signal: AbortSignal
}

export type CommandOutcome =
  | { kind: 'done' }
  /** The turn goes on with this text in place of the command. */
  | { kind: 'prompt'; text: string }
  /** The same, with these blocks. */
  | { kind: 'content'; content: ContentBlock[] }

export interface Command {
  readonly name: string
  readonly description: string
  readonly hint?: string
  /** A throw becomes the answer to the prompt. */
  run(context: CommandContext): CommandOutcome | Promise<CommandOutcome>
}

export const DONE: CommandOutcome = { kind: 'done' }
