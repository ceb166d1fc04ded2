// Refuses what a command does not know. The commands' own definitions say what they do know.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { nearestName } from '#json/nearest.ts'
import type { ArgsDef } from 'citty'

/** Returns what is wrong with the arguments, as a sentence, or undefined. */
export function argumentFault(definitions: ArgsDef, args: string[]): string | undefined {
  const options: ParseArgsOptionsConfig = {}
  const positionals: string[] = []
  for (const [name, definition] of Object.entries(definitions)) {
    if (definition.type === 'positional') positionals.push(name)
    else options[name] = { type: definition.type === 'boolean' ? 'boolean' : 'string' }
  }
  try {
    const given = parseArgs({ args, options, allowPositionals: true }).positionals
    if (given.length > positionals.length) return `unexpected argument '${given[positionals.length]}'`
    const missing = positionals.slice(given.length).find((name) => definitions[name]?.required !== false)
    if (missing !== undefined) return `missing argument <${missing}>`
    return valueFault(definitions, args, options)
  } catch (error) {
    const sentence = error instanceof Error ? firstSentence(error.message) : String(error)
    return sentence + meant(sentence, Object.keys(options))
  }
}

function valueFault(
  definitions: ArgsDef,
  args: string[],
  options: ParseArgsOptionsConfig,
): string | undefined {
  const { values } = parseArgs({ args, options, allowPositionals: true })
  for (const [name, definition] of Object.entries(definitions)) {
    const value = values[name]
    if (definition.type !== 'enum' || value === undefined) continue
    const allowed = definition.options ?? []
    if (!allowed.includes(String(value)))
      return `--${name} is one of ${allowed.join(', ')}, not '${String(value)}'`
  }
  return undefined
}

function meant(sentence: string, options: readonly string[]): string {
  const typed = /^unknown option '--([^'=]+)/.exec(sentence)?.[1]
  const name = typed === undefined ? undefined : nearestName(typed, options)
  return name === undefined ? '' : `; is '--${name}' meant?`
}

function firstSentence(message: string): string {
  const sentence = message.split(/\.\s/)[0] ?? message
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
