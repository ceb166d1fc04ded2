// Asking presenters, and drawing what they answer: whatever they throw costs only their own card.
import { parse, Allow } from 'partial-json'
import { textIsDeeper } from '#json/depth.ts'
import { MAX_LEVELS } from '#json/materialize.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { Log } from '#registry/types.ts'
import type { ToolCallView, ToolResultView } from '#registry/view.ts'
import type { Presenters } from '#agent/port.ts'
import type { ToolResultEvent } from '#session/event.ts'
import type { CallCard, CardContext, ResultCard, ResultInput } from '#bridge/cards/card.ts'
import { renderCall } from '#bridge/cards/render-call.ts'
import { renderResult } from '#bridge/cards/render-result.ts'
import { fallbackTitle } from '#bridge/cards/title.ts'

export interface Presenting {
  presenters(toolName: string): Presenters | undefined
  log: Log
}

/** The view of arguments that may be incomplete; undefined when the tool has none for them. */
export function viewCall(
  from: Presenting,
  name: string,
  args: JsonValue | undefined,
): ToolCallView | undefined {
  if (args === undefined) return undefined
  return contained(from, name, 'presentCall', () => from.presenters(name)?.presentCall?.(args))
}

/** Whether the call view may still be replaced before anybody is asked. */
export function hasPreview(from: Presenting, name: string): boolean {
  return from.presenters(name)?.preview !== undefined
}

/** The view of a result: the tool's own, the stored one while the tool is absent, or none. */
export function viewResult(
  from: Presenting,
  name: string,
  args: JsonValue | undefined,
  event: ToolResultEvent,
): ToolResultView | undefined {
  const result = {
    content: event.content,
    isError: event.isError,
    ...(event.meta !== undefined && { meta: event.meta }),
  }
  return contained(from, name, 'presentResult', () => {
    const presenters = from.presenters(name)
    return presenters ? presenters.presentResult?.(args ?? {}, result) : (event.view ?? undefined)
  })
}

/** The generic view of a call that has no other. */
export function fallbackView(name: string, args: JsonValue | undefined): ToolCallView {
  return { card: 'generic', title: fallbackTitle(name), ...(args !== undefined && { rawInput: args }) }
}

/** A drawn call, with the view it was drawn from. */
export interface Drawn {
  view: ToolCallView
  card: CallCard
}

/** Drawn from the generic view when the given one can't be drawn. */
export function drawCall(
  from: Presenting,
  call: { name: string; args: JsonValue | undefined },
  view: ToolCallView,
  ctx: CardContext,
): Drawn {
  const card = contained(from, call.name, 'call card', () => renderCall(view, ctx))
  if (card) return { view, card }
  const generic = fallbackView(call.name, call.args)
  return { view: generic, card: renderCall(generic, ctx) }
}

/** A drawn result; the generic card when the view can't be drawn. */
export function drawResult(
  from: Presenting,
  name: string,
  view: ToolResultView | undefined,
  input: ResultInput,
  ctx: CardContext,
): ResultCard {
  return (
    contained(from, name, 'result card', () => renderResult(view, input, ctx)) ??
    renderResult(undefined, input, ctx)
  )
}

/** Arguments as far as they are known: a malformed text is read as the beginning of JSON. */
export function readArguments(args: JsonValue, malformed: boolean): JsonValue {
  if (!malformed || typeof args !== 'string') return args
  return parsePartial(args) ?? args
}

/** The object that a cut JSON text begins with: strings may be cut, numbers and words may not; deep nesting is none. */
export function parsePartial(text: string): JsonValue | undefined {
  if (textIsDeeper(text, MAX_LEVELS)) return undefined
  try {
    const value: unknown = parse(text, Allow.STR | Allow.OBJ | Allow.ARR)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function contained<T>(
  from: Presenting,
  name: string,
  what: string,
  work: () => T | undefined,
): T | undefined {
  try {
    return work() ?? undefined
  } catch (error) {
    from.log('warn', `${what} of ${JSON.stringify(name)} failed: the generic card stands in`, {
      error: String(error),
    })
    return undefined
  }
}
