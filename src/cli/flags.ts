// The flags that `acp` and `run` share, and what is wrong with them.
import type { ArgsDef } from 'citty'
import type { Flags } from '#config/configuration.ts'
import { isModelName, MODE_IDS, type ModeId } from '#config/settings.ts'

export const FLAGS = {
  model: {
    type: 'string',
    valueHint: 'provider/model',
    description: 'The model, instead of the configured one',
  },
  mode: { type: 'enum', options: [...MODE_IDS], description: 'What may happen without asking' },
  allow: {
    type: 'string',
    valueHint: 'rules',
    description: 'Rules that allow, such as "bash(npm test *), edit(src/**)"',
  },
  deny: { type: 'string', valueHint: 'rules', description: 'Rules that forbid' },
} satisfies ArgsDef

export interface FlagArgs {
  model?: string
  mode?: ModeId
  allow?: string
  deny?: string
}

/** The flags, or what is wrong with them as a sentence. */
export function flagsOf({ model, mode, allow, deny }: FlagArgs): Flags | string {
  if (model !== undefined && !isModelName(model)) return `--model is provider/model, not '${model}'`
  for (const [name, rules] of Object.entries({ allow, deny })) {
    if (rules !== undefined && splitRules(rules).length === 0) return `--${name} needs a rule`
  }
  return {
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    ...(allow !== undefined && { allow: splitRules(allow) }),
    ...(deny !== undefined && { deny: splitRules(deny) }),
  }
}

/** At commas outside of parentheses. */
function splitRules(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((rule) => rule.trim())
    .filter(Boolean)
}
