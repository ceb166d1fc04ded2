// The rules of a configuration, compiled: unreadable ones are kept where keeping them is safe, and always named.
import { parseRule, type Rule } from './rule.ts'

/** Lists of rules as they stand in the configuration; what is no text is an unreadable rule. */
export interface PermissionRules {
  allow?: readonly unknown[]
  ask?: readonly unknown[]
  deny?: readonly unknown[]
}

export interface CompiledRules {
  allow: readonly Rule[]
  /** Unreadable rules of these lists are kept: what they may be about asks. */
  ask: readonly Rule[]
  deny: readonly Rule[]
  /** One sentence for each rule that can't be read. */
  problems: readonly string[]
}

export const NO_RULES: CompiledRules = { allow: [], ask: [], deny: [], problems: [] }

const CONSEQUENCES = {
  allow: 'it allows nothing',
  ask: 'calls that it may be about are asked for',
  deny: 'calls that it may be about are never allowed without asking',
} as const

/** Never throws. Several configurations add up: the lists are joined. */
export function compileRules(...sources: readonly PermissionRules[]): CompiledRules {
  const problems: string[] = []
  const compile = (list: keyof PermissionRules): Rule[] =>
    sources.flatMap((source) => {
      const written: unknown = source[list] ?? []
      const rules = (Array.isArray(written) ? (written as unknown[]) : [written]).map(parseRule)
      for (const rule of rules) {
        if (rule.kind === 'unreadable') {
          problems.push(
            `permissions.${list}: the rule ${JSON.stringify(rule.text)} can not be read (${rule.why}); ${CONSEQUENCES[list]}.`,
          )
        }
      }
      return rules
    })
  const [allow, ask, deny] = [compile('allow'), compile('ask'), compile('deny')]
  return { allow: allow.filter((rule) => rule.kind !== 'unreadable'), ask, deny, problems }
}
