// The policy: a pre-execute listener that allows, denies, or leaves a call to the person (tools.md §7).
import type { Scope } from '#registry/scope.ts'
import type { PreToolDecision, ToolExecution, ToolExecutionToken } from '#registry/types.ts'
import { assertNever } from '#registry/view.ts'
import { ALLOW, askWithGrant, type Context, decideByAskRules, decideFirst, type Mode } from './decision.ts'
import { type CommandLanguage, decideCommand } from './decide-command.ts'
import { decideFiles } from './decide-files.ts'
import { effectOf } from './effects.ts'
import type { GrantEntry } from './grants.ts'
import { guardJudgedPaths, type OutsidePaths } from './judged-paths.ts'
import type { Places } from './places.ts'
import type { GrantStore } from './remembered.ts'
import { type CompiledRules, NO_RULES } from './rules.ts'
import { allows, type Subject } from './ruling.ts'

export type { Mode } from './decision.ts'

export interface PolicyOptions {
  /** The mode at the time of the call. */
  mode(): Mode
  places: Places
  /** The rules at the time of the call. Defaults to none. */
  rules?(): CompiledRules
  /** Without it nothing is remembered, and nothing remembered applies. */
  grants?: GrantStore
  /** Filled with what running calls may change outside of the roots. */
  outside?: OutsidePaths
  /** Defaults to what the platform's shell reads. */
  commandLanguage?: CommandLanguage
}

/** Installs the policy for the calls of a scope. It runs last: listeners before it may only be stricter. */
export function installPolicy(scope: Scope, options: PolicyOptions): void {
  const unasked = new WeakSet<ToolExecutionToken>()
  const paths = guardJudgedPaths(scope, {
    places: options.places,
    outside: options.outside ?? new Map(),
    stillAllowed: async (call, places) =>
      !unasked.has(call.token) || (await decide(call, { ...options, places })).kind === 'allow',
    mayLeave: ({ token }) =>
      !unasked.has(token) || options.mode() === 'bypass' || allowsPaths(options.rules?.() ?? NO_RULES),
  })
  scope.on('tools/pre-execute', async (exec, next) => {
    const places = options.places.now()
    await paths.note(exec, places)
    const decision = await decide(exec, { ...options, places })
    if (decision.kind !== 'allow') return decision
    const inner = await next()
    if (inner.kind === 'allow') unasked.add(exec.token)
    return inner
  })
}

function allowsPaths({ allow }: CompiledRules): boolean {
  return allow.some((rule) => rule.kind === 'path')
}

/** What the policy says about one call. Rejects only where a port does. */
export async function decide(
  { name, arguments: args }: Pick<ToolExecution, 'name' | 'arguments'>,
  {
    mode,
    places,
    rules,
    grants,
    commandLanguage = process.platform === 'win32' ? 'other' : 'bash',
  }: PolicyOptions,
): Promise<PreToolDecision> {
  const context: Context = { mode: mode(), places, rules: rules?.() ?? NO_RULES, grants }
  const effect = effectOf(name, args)
  switch (effect.kind) {
    case 'read':
    case 'write':
      return decideFiles(name, effect, context)
    case 'command':
      return decideCommand(effect, commandLanguage, context)
    case 'session':
      return decideOther({ tool: name, kind: 'session', touched: [] }, [], context)
    case 'fetch': {
      const entries: GrantEntry[] = effect.host === undefined ? [] : [{ kind: 'host', host: effect.host }]
      return decideOther({ tool: name, kind: 'host', touched: [], host: effect.host }, entries, context)
    }
    case 'mcp':
      return decideOther({ tool: name, kind: 'mcp', touched: [] }, [{ kind: 'tool', tool: name }], context)
    case 'resource':
      return decideOther(
        { tool: name, kind: 'mcp', touched: [], server: effect.server ?? '' },
        [{ kind: 'tool', tool: name }],
        context,
      )
    case 'foreign':
      return decideOther({ tool: name, kind: 'other', touched: [] }, [{ kind: 'tool', tool: name }], context)
    default:
      return assertNever(effect)
  }
}

async function decideOther(
  subject: Subject,
  entries: readonly GrantEntry[],
  context: Context,
): Promise<PreToolDecision> {
  const first = decideFirst(context, subject) ?? decideByAskRules(context, subject)
  if (first) return first
  if (subject.kind === 'session' || allows(context.rules.allow, subject)) return ALLOW
  const known = (await context.grants?.list()) ?? []
  const granted = known.some(({ entry }) => {
    if (entry.kind === 'host') return entry.host === subject.host
    return entry.kind === 'tool' && entry.tool === subject.tool
  })
  return granted ? ALLOW : askWithGrant(context.grants, entries)
}
