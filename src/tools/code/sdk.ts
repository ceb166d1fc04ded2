// The SDK: what a program may call, as TypeScript declarations. The same text for the same tools in any order.
import { docComment, propertyName, typeOfSchema } from '#json/to-typescript.ts'
import type { JsonObject } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import type { Registry } from '#registry/registry.ts'
import type { ScopeKey } from '#registry/types.ts'

type SdkTool = Pick<ToolDefinition, 'name' | 'description' | 'parameters' | 'output'>

const HEAD = `/** Any JSON. */
type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** What a call that failed rejects with. */
declare class ToolCallError extends Error {
  readonly toolName: string
}

/** Prints a line of the output. */
declare const console: Record<'log' | 'info' | 'warn' | 'error' | 'debug', (...values: unknown[]) => void>
`

const GUIDE = `# Calling tools from a program

\`run_code\` runs a TypeScript program that calls tools. Only what the program prints and returns comes back to you, so read, search and count in the program and return the answer, not the material. The program is the body of an async function:

    const answers = await Promise.all(inputs.map((input) => tools.someTool(input)))
    return answers.filter((answer) => answer.matches).length

The result of a call is data of the declared type, not text. These declarations are in scope; nothing else of an environment is (no modules, no fetch, no timers):`

/** The declarations of the tools that a program of this scope can call. */
export function sdkOf(registry: Pick<Registry, 'schemas' | 'get'>, scope?: ScopeKey): string {
  const tools = registry.schemas(scope).flatMap(({ name }) => registry.get(name, scope) ?? [])
  return sdkText(tools)
}

/** The part of the system prompt that teaches Code Mode. */
export function codeModeGuide(sdk: string): string {
  return `${GUIDE}\n\n\`\`\`ts\n${sdk}\`\`\``
}

export function sdkText(tools: readonly SdkTool[]): string {
  const sorted = [...tools].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return `${HEAD}\ndeclare const tools: {\n${sorted.map(declaration).join('\n')}}\n`
}

function declaration({ name, description, parameters, output }: SdkTool): string {
  const optional = mayBeEmpty(parameters) ? '?' : ''
  const args = typeOfSchema(withObjectRoot(parameters), { indent: 2 })
  const result = typeOfSchema(output.schema, { indent: 2 })
  return `${docComment(description, 2)}  readonly ${propertyName(name)}: (args${optional}: ${args}) => Promise<${result}>\n`
}

/** Arguments are an object whether or not the schema says so. */
function withObjectRoot(parameters: JsonObject): JsonObject {
  const bare = !['type', '$ref', 'oneOf', 'anyOf', 'allOf', 'enum', 'const'].some((key) =>
    Object.hasOwn(parameters, key),
  )
  return bare ? { ...parameters, type: 'object' } : parameters
}

function mayBeEmpty(parameters: JsonObject): boolean {
  const { required } = parameters
  const branches = ['$ref', 'oneOf', 'anyOf', 'allOf'].some((key) => Object.hasOwn(parameters, key))
  return !branches && (!Array.isArray(required) || required.length === 0)
}
