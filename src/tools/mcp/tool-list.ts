// The tools of a server, judged one by one: one that can't be used costs only itself.
import { isJsonObject, type JsonObject } from '#json/value.ts'
import { cutDescription } from './clean-schema.ts'
import { judgeInputSchema } from './input-schema.ts'
import { toolNames } from './names.ts'

/** What a server says of a tool. Hints of an untrusted party: they colour the card and never skip a question. */
export interface Hints {
  readOnly: boolean
  destructive: boolean
}

export interface ImportedTool {
  /** For the model. */
  name: string
  /** For the server. */
  rawName: string
  /** For people. */
  title: string
  description: string
  parameters: JsonObject
  /** What arguments are checked against. */
  checked: JsonObject
  /** What structured content should fit, where the server says so. */
  outputSchema: JsonObject | undefined
  hints: Hints
}

export interface JudgedTools {
  tools: ImportedTool[]
  /** One sentence for each tool that was left out. */
  problems: string[]
}

/** `items`: what `tools/list` gave, of any shape. */
export function judgeTools(server: string, items: readonly unknown[]): JudgedTools {
  const problems: string[] = []
  const usable: { rawName: string; item: JsonObject }[] = []
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const rawName = isJsonObject(item) ? item['name'] : undefined
    if (!isJsonObject(item) || typeof rawName !== 'string' || rawName === '')
      problems.push(`tool ${index + 1} has no name`)
    else if (seen.has(rawName)) problems.push(`tool ${quoted(rawName)} is listed twice: the first is kept`)
    else {
      seen.add(rawName)
      usable.push({ rawName, item })
    }
  }
  const names = toolNames(server, seen)
  const tools = usable.flatMap(({ rawName, item }) => {
    const schema = judgeInputSchema(item['inputSchema'])
    if (!schema.ok)
      problems.push(`tool ${quoted(rawName)} can't be used, its input schema is wrong: ${schema.why}`)
    const name = names.get(rawName)
    if (!schema.ok || name === undefined) return []
    const { parameters, checked } = schema
    return [{ name, rawName, parameters, checked, ...described(rawName, item) }]
  })
  return { tools, problems }
}

function described(
  rawName: string,
  item: JsonObject,
): Pick<ImportedTool, 'title' | 'description' | 'outputSchema' | 'hints'> {
  const { description, annotations, outputSchema } = item
  const hints = isJsonObject(annotations) ? annotations : {}
  const title = [item['title'], hints['title'], rawName].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  )
  return {
    title: title ?? rawName,
    description: cutDescription(typeof description === 'string' ? description : (title ?? '')),
    outputSchema: isJsonObject(outputSchema) ? outputSchema : undefined,
    hints: {
      readOnly: hints['readOnlyHint'] === true,
      destructive: hints['destructiveHint'] === true && hints['readOnlyHint'] !== true,
    },
  }
}

function quoted(name: string): string {
  return JSON.stringify(name.length <= 80 ? name : `${name.slice(0, 80)}…`)
}
