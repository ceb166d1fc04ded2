// Prompts of a server as commands: what is written behind the name becomes their arguments.
import { isJsonObject, type JsonObject } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import { cutDescription } from './clean-schema.ts'
import { Allowance, contentBlock } from './content-block.ts'

export interface PromptArgument {
  name: string
  required: boolean
}
export interface McpPrompt {
  name: string
  description: string
  arguments: PromptArgument[]
}

/** `items`: what `prompts/list` gave. Those without a name that can be typed are left out. */
export function readPrompts(items: readonly unknown[]): McpPrompt[] {
  const prompts = new Map<string, McpPrompt>()
  for (const item of items) {
    if (!isJsonObject(item)) continue
    const { name, title, description } = item
    if (typeof name !== 'string' || name === '' || prompts.has(name)) continue
    const text = [description, title, name].find(
      (one): one is string => typeof one === 'string' && one !== '',
    )
    prompts.set(name, { name, description: cutDescription(text ?? name), arguments: readArguments(item) })
  }
  return [...prompts.values()]
}

function readArguments({ arguments: list }: JsonObject): PromptArgument[] {
  return (Array.isArray(list) ? list : []).flatMap((item) =>
    isJsonObject(item) && typeof item['name'] === 'string'
      ? [{ name: item['name'], required: item['required'] === true }]
      : [],
  )
}

/** What an editor shows behind the name; undefined when nothing is wanted. */
export function promptHint(prompt: McpPrompt): string | undefined {
  const names = prompt.arguments.map(({ name, required }) => (required ? name : `[${name}]`))
  return names.length === 0 ? undefined : names.join(' ')
}

/**
 * The arguments in a line: `name=value` for named ones, the others in order, quotes around what holds spaces; the
 * last one takes the rest. Throws an `Error` that names what is missing.
 */
export function promptArguments(prompt: McpPrompt, line: string): Record<string, string> {
  const values: Record<string, string> = {}
  const open = [...prompt.arguments]
  const take = (name: string, value: string): void => {
    values[name] = value
    open.splice(
      open.findIndex((argument) => argument.name === name),
      1,
    )
  }
  const words = [...line.matchAll(/(?:([\w-]+)=)?(?:"([^"]*)"|'([^']*)'|(\S+))/g)]
  for (const match of words) {
    const [whole, name, double, single, bare] = match
    const value = double ?? single ?? bare ?? ''
    if (name !== undefined && open.some((argument) => argument.name === name)) take(name, value)
    else if (open[0] !== undefined && open.length === 1 && bare !== undefined && name === undefined) {
      take(open[0].name, line.slice(match.index).trim())
      break
    } else if (open[0] !== undefined) take(open[0].name, name === undefined ? value : whole)
  }
  const missing = open.filter(({ required }) => required).map(({ name }) => name)
  if (missing.length === 0) return values
  throw new Error(`the prompt needs ${missing.join(', ')}: write ${promptHint(prompt) ?? ''}`)
}

/** The messages of `prompts/get` as what a person sends. Throws an `Error` when there are none. */
export function promptContent(result: unknown): ContentBlock[] {
  const messages = isJsonObject(result) ? result['messages'] : undefined
  if (!Array.isArray(messages)) throw new Error('the server gave no messages for this prompt')
  const allowance = new Allowance()
  const content = messages.flatMap((message) => {
    if (!isJsonObject(message)) return []
    const inner = message['content']
    const blocks = (Array.isArray(inner) ? inner : [inner]).flatMap((block) =>
      block === undefined ? [] : contentBlock(block, allowance),
    )
    const said: ContentBlock[] = [{ type: 'text', text: 'The assistant said:' }]
    return message['role'] === 'assistant' ? [...said, ...blocks] : blocks
  })
  if (content.length === 0) throw new Error('the prompt is empty')
  return content
}
