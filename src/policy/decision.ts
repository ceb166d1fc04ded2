// What all decisions share: their context, the order of the rules, and the form of a question.
import type { ModeId } from '#config/settings.ts'
import type { PreToolDecision } from '#registry/types.ts'
import { type GrantEntry, labelOf } from './grants.ts'
import type { Place, Places } from './places.ts'
import type { GrantStore } from './remembered.ts'
import type { CompiledRules } from './rules.ts'
import { type Ruling, strictRuling, type Subject } from './ruling.ts'

export type Mode = ModeId

export interface Context {
  mode: Mode
  places: Places
  rules: CompiledRules
  /** Absent where nothing is remembered. */
  grants: GrantStore | undefined
}

export const ALLOW: PreToolDecision = { kind: 'allow' }
export const PLANNING =
  'the session is in plan mode, which changes nothing: say what you would do, and let the user switch the mode'

/** Characters; a longer label is not read before it is clicked. */
const LONGEST_LABEL = 300

/** What deny rules say, and bypass mode behind them; undefined when neither decides. */
export function decideFirst({ rules, mode }: Context, subject: Subject): PreToolDecision | undefined {
  const denied = strictRuling(rules.deny, subject)
  if (denied.match === 'yes')
    return { kind: 'deny', reason: `the permission rule ${quote(denied)} denies this call` }
  if (denied.match === 'maybe') return ask(`the deny rule ${quote(denied)} may be about this call`)
  return mode === 'bypass' ? ALLOW : undefined
}

/** What ask rules say. */
export function decideByAskRules({ rules }: Context, subject: Subject): PreToolDecision | undefined {
  const asked = strictRuling(rules.ask, subject)
  return asked.match === 'no' ? undefined : ask(`the permission rule ${quote(asked)} asks`)
}

function quote(ruling: Exclude<Ruling, { match: 'no' }>): string {
  return JSON.stringify(ruling.rule.text)
}

type Ask = Extract<PreToolDecision, { kind: 'ask' }>

export function ask(reason?: string): Ask {
  return { kind: 'ask', ...(reason !== undefined && { reason }) }
}

/** Offers to remember the entries, where that is possible. */
export async function askWithGrant(
  grants: GrantStore | undefined,
  entries: readonly GrantEntry[],
  reason?: string,
): Promise<PreToolDecision> {
  const question = ask(reason)
  if (grants === undefined || entries.length === 0) return question
  const label = labelOf(entries)
  const usable = label.length <= LONGEST_LABEL && (await grants.usable().catch(() => false))
  return usable ? { ...question, grant: { label, remember: () => grants.add(entries) } } : question
}

export function outsideReason({ path }: Place): string {
  return `${path} is outside the directories of this session`
}

export function protectedReason({ path }: Place): string {
  return `${path} is protected`
}
