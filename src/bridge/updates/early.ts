// The early announcement of a call whose arguments still stream.
import { isDeepStrictEqual } from 'node:util'
import { textIsDeeper } from '#json/depth.ts'
import { MAX_LEVELS } from '#json/materialize.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { CallCard } from '#bridge/cards/card.ts'
import { parsePartial } from './presenting.ts'

/** New characters before the text is parsed again; grows with the text, so that the whole cost stays linear. */
const STEP = 64
/** Longer beginnings are not worth waiting for. */
const GIVE_UP = 1024 * 1024

export interface Early {
  text: string
  nextAt: number
  /** What the last parse showed. */
  last: { title: string; locations: CallCard['locations'] } | undefined
  /** Announced, or of a kind that waits for whole arguments. */
  stopped: boolean
}

export function createEarly(): Early {
  return { text: '', nextAt: STEP, last: undefined, stopped: false }
}

/** Takes more argument text; gives the arguments so far when it is time to look at them. */
export function grow(early: Early, delta: string): JsonValue | undefined {
  if (early.stopped) return undefined
  early.text += delta
  if (early.text.length < early.nextAt) return undefined
  if (early.text.length > GIVE_UP) early.stopped = true
  early.nextAt = early.text.length + Math.max(STEP, early.text.length >> 2)
  return parsePartial(early.text)
}

/** The arguments, when the text so far is all of them. */
export function whole(early: Early): JsonValue | undefined {
  if (early.stopped || early.text === '' || textIsDeeper(early.text, MAX_LEVELS)) return undefined
  try {
    const value: unknown = JSON.parse(early.text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The part of a card on which two parses of the grown text agree; stops once there is one. */
export function agree(
  early: Early,
  card: CallCard,
): Pick<CallCard, 'title' | 'kind' | 'locations'> | undefined {
  const { last } = early
  early.last = { title: card.title, locations: card.locations }
  if (last?.title !== card.title) return undefined
  early.stopped = true
  const sure = isDeepStrictEqual(last.locations, card.locations)
  return { title: card.title, kind: card.kind, locations: sure ? card.locations : [] }
}
