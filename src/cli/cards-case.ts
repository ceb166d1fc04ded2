// A card case: one call of `fixtures/cards`, as the events of a session and as a client is sent it. Pure.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { Presenters } from '#agent/port.ts'
import type { RootPair } from '#bridge/cards/card.ts'
import type { ClientProfile } from '#bridge/profile.ts'
import { createMapper } from '#bridge/updates.ts'
import type { JsonValue } from '#json/value.ts'
import type { ToolCallView, ToolResultView } from '#registry/view.ts'
import type { AnyEvent, ToolResultEvent } from '#session/event.ts'

export interface CardCase {
  /** Default: `/home/dev/app`. */
  cwd?: string
  roots?: RootPair[]
  tool: string
  args: JsonValue
  /** The id of the `run_code` call whose program makes this one. */
  inside?: string
  call?: ToolCallView
  preview?: ToolCallView
  /** The tool has a preview, though none comes. */
  previewable?: true
  /** Somebody is asked. */
  asked?: true
  /** The body never starts. */
  denied?: true
  output?: string[]
  progress?: { message?: string; done?: number; total?: number }[]
  result: Omit<ToolResultEvent, 'type' | 'callId' | 'view'> & { view?: ToolResultView }
}

export const CASE_CALL = 'call-1'
export const CASE_CWD = '/home/dev/app'

export function caseEvents(given: CardCase): AnyEvent[] {
  const { view: _view, ...result } = given.result
  const callId = CASE_CALL
  return [
    { type: 'turn_start', turnId: 't' },
    ...announcement(given),
    ...(given.preview ? [{ type: 'tool_preview' as const, callId, view: given.preview }] : []),
    ...(given.asked ? [{ type: 'approval_asked' as const, callId, toolName: given.tool }] : []),
    ...(given.denied ? [] : [{ type: 'tool_started' as const, callId }]),
    ...(given.output ?? []).map((data) => ({ type: 'tool_output' as const, callId, data })),
    ...(given.progress ?? []).map((progress) => ({ type: 'tool_progress' as const, callId, ...progress })),
    { type: 'tool_result', callId, ...result },
  ]
}

function announcement({ tool: name, args, inside }: CardCase): AnyEvent[] {
  const callId = CASE_CALL
  if (inside !== undefined) return [{ type: 'code_call', callId, parentId: inside, name, arguments: args }]
  return [
    {
      type: 'assistant_message',
      message: { id: 'm', parts: [{ type: 'tool_call', callId, name, arguments: args }] },
    },
    { type: 'tool_call', callId, name, messageId: 'm' },
  ]
}

/** What a client with this profile is sent. */
export function caseUpdates(given: CardCase, profile: ClientProfile): SessionUpdate[] {
  const presenters: Presenters = {
    presentCall: () => given.call,
    presentResult: () => given.result.view,
    ...((given.preview || given.previewable) && { preview: async () => undefined }),
  }
  const mapper = createMapper({
    cwd: given.cwd ?? CASE_CWD,
    roots: given.roots ?? [],
    profile,
    presenters: () => presenters,
  })
  return caseEvents(given).flatMap((event) => mapper.push(event))
}
