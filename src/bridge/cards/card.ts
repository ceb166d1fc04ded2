// What a renderer is given and what it returns: the fields of one call's card, not yet compared with what was sent.
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import type { ContentBlock } from '#model/content.ts'
import type { ToolCallView } from '#registry/view.ts'
import type { ClientProfile } from '#bridge/profile.ts'

/** A workspace root as it was named and as it really is (symlinks resolved). */
export type RootPair = readonly [raw: string, real: string]

export interface CardContext {
  readonly callId: string
  /** Absolute; the base of relative paths. */
  readonly cwd: string
  /** Additional ways to name the session's directories; `cwd` itself need not be among them. */
  readonly roots: readonly RootPair[]
  readonly profile: ClientProfile
}

export interface CallCard {
  title: string
  kind: ToolKind
  content: ToolCallContent[]
  locations: ToolCallLocation[]
  rawInput?: unknown
  /** The card draws an agent-owned terminal with this working directory. */
  terminal?: { cwd: string }
}

/** The output that a running call reported. */
export interface ReportedOutput {
  /** Whether anything was reported. */
  readonly any: boolean
  /** Shown so far (its end, when long). */
  readonly text: string
  /** The limit of live output was reached: something was left out. */
  readonly paused: boolean
}

export interface ResultInput {
  /** What the model reads. */
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  /** The view that the call's card was last drawn from. */
  readonly call: ToolCallView
  readonly output: ReportedOutput
}

/** A missing field is left as it stands on the card. */
export interface ResultCard {
  title?: string
  content?: ToolCallContent[]
  locations?: ToolCallLocation[]
  /** The last output and the end of the card's terminal. */
  terminal?: { data: string; exitCode: number | null; signal: string | null }
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } }
}

export function blockContent(block: ContentBlock): ToolCallContent {
  return { type: 'content', content: block }
}
