// The policy: a pre-execute listener that allows, denies, or leaves a call to the person (tools.md §7).
import type { Scope } from '#registry/scope.ts'
import type { PreToolDecision } from '#registry/types.ts'
import { assertNever } from '#registry/view.ts'
import { type Effect, effectOf } from './effects.ts'
import type { Place, Places } from './places.ts'

export type Mode = 'ask' | 'accept-edits' | 'plan' | 'bypass'

export interface PolicyOptions {
  /** The mode at the time of the call. */
  mode(): Mode
  places: Places
}

const ALLOW: PreToolDecision = { kind: 'allow' }
const PLANNING =
  'the session is in plan mode, which changes nothing: say what you would do, and let the user switch the mode'

/** Installs the policy for the calls of a scope. It runs last: listeners before it may only be stricter. */
export function installPolicy(scope: Scope, options: PolicyOptions): void {
  scope.on('tools/pre-execute', async (exec, next) => {
    const decision = await decide(effectOf(exec.name, exec.arguments), options)
    return decision.kind === 'allow' ? next() : decision
  })
}

async function decide(effect: Effect, { mode, places }: PolicyOptions): Promise<PreToolDecision> {
  if (mode() === 'bypass') return ALLOW
  switch (effect.kind) {
    case 'session':
      return ALLOW
    case 'read':
      return decideRead(await judgeAll(effect.paths, places))
    case 'write':
      return decideWrite(await judgeAll(effect.paths, places), mode())
    case 'execute':
      return mode() === 'plan' ? { kind: 'deny', reason: PLANNING } : { kind: 'ask' }
    case 'foreign':
      return { kind: 'ask' }
    default:
      return assertNever(effect)
  }
}

/** A path whose place can't be found out counts as outside. */
async function judgeAll(paths: readonly string[], places: Places): Promise<Place[]> {
  return Promise.all(
    paths.map((path) => places.judge(path).catch((): Place => ({ path, inside: false, protected: false }))),
  )
}

function decideRead(judged: readonly Place[]): PreToolDecision {
  const outside = judged.find((place) => !place.inside)
  return outside === undefined ? ALLOW : { kind: 'ask', reason: outsideReason(outside) }
}

function decideWrite(judged: readonly Place[], mode: Mode): PreToolDecision {
  if (mode === 'plan') return { kind: 'deny', reason: PLANNING }
  const outside = judged.find((place) => !place.inside)
  if (outside !== undefined) return { kind: 'ask', reason: outsideReason(outside) }
  const guarded = judged.find((place) => place.protected)
  if (guarded !== undefined) return { kind: 'ask', reason: `${guarded.path} is protected` }
  return mode === 'accept-edits' ? ALLOW : { kind: 'ask' }
}

function outsideReason({ path }: Place): string {
  return `${path} is outside the directories of this session`
}
