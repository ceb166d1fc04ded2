// What a client announced that it can draw and answer. Computed once per session; a call and its result share one.
import type { ClientCapabilities } from '@agentclientprotocol/sdk'

export interface ClientProfile {
  /** Draws agent-owned terminals from `_meta.terminal_info`, `terminal_output` and `terminal_exit`. */
  readonly terminalMeta: boolean
  readonly fsRead: boolean
  readonly fsWrite: boolean
  readonly elicitationForm: boolean
  readonly notices: boolean
  readonly compaction: boolean
  readonly booleanOptions: boolean
  /** Wants whole views on `_meta["deckhand/card"]`. */
  readonly cardMeta: boolean
}

/** Strict: only the exact value that the protocol names counts as announced. */
export function clientProfile(capabilities: ClientCapabilities | undefined): ClientProfile {
  const meta = capabilities?._meta
  const session = capabilities?.session
  return {
    terminalMeta: meta?.['terminal_output'] === true,
    fsRead: capabilities?.fs?.readTextFile === true,
    fsWrite: capabilities?.fs?.writeTextFile === true,
    elicitationForm: isObject(capabilities?.elicitation?.form),
    notices: isObject(session?.notices),
    compaction: isObject(session?.compaction),
    booleanOptions: isObject(session?.configOptions?.boolean),
    cardMeta: meta?.['deckhand/card'] === true,
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Profiles with names, for replays and snapshots. */
export const NAMED_PROFILES = {
  /** Draws everything. */
  zed: profileOf(true, true),
  /** Announced nothing. */
  plain: profileOf(false, false),
  /** Only the file system, as Neovim clients do. */
  'fs-only': profileOf(false, true),
} as const satisfies Record<string, ClientProfile>

export type ProfileName = keyof typeof NAMED_PROFILES
export const PROFILE_NAMES = Object.keys(NAMED_PROFILES) as ProfileName[]

function profileOf(rest: boolean, fs: boolean): ClientProfile {
  return {
    terminalMeta: rest,
    fsRead: fs,
    fsWrite: fs,
    elicitationForm: rest,
    notices: rest,
    compaction: rest,
    booleanOptions: rest,
    cardMeta: rest,
  }
}
