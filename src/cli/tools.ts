// `deckhand tools`: the tools that a session in this directory has, with their schemas and where they come from.
import type { Configuration } from '#config/configuration.ts'
import { loadConfiguration } from '#config/load.ts'
import type { JsonObject } from '#json/value.ts'
import { isJsonObject } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { createRegistry } from '#registry/registry.ts'
import { sdkText } from '#tools/code/sdk.ts'
import { firstPartyTools } from '#tools/index.ts'
import { createWorkspace } from '#workspace/workspace.ts'
import { clip } from './draw/text.ts'
import { type Canvas, canvasFor } from './draw/paint.ts'
import type { Host } from './host.ts'

interface Listed {
  name: string
  description: string
  parameters: JsonObject
  origin: string
}

/** Resolves with 0. With `json`, stdout is one JSON array; with `code`, TypeScript. */
export async function tools(host: Host, { json, code }: { json?: boolean; code?: boolean }): Promise<number> {
  const configuration = await loadConfiguration({ env: host.env, cwd: host.cwd })
  for (const warning of configuration.warnings) host.stderr.write(`deckhand: ${warning}\n`)
  if (code) {
    host.stdout.write(sdkText(visibleTools(host, configuration)))
    return 0
  }
  const listed = listTools(host, configuration)
  const canvas = canvasFor(host.stdout, host.env)
  host.stdout.write(
    json ? `${JSON.stringify(listed, null, 2)}\n` : listed.map((tool) => drawn(canvas, tool)).join(''),
  )
  return 0
}

function listTools(host: Host, configuration: Configuration): Listed[] {
  return visibleTools(host, configuration).map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
    origin: 'built in',
  }))
}

function visibleTools({ cwd, env }: Host, configuration: Configuration): ToolDefinition[] {
  const registry = createRegistry()
  const scope = registry.scope(undefined, { sessionId: 'tools', cwd, roots: [cwd] })
  const workspace = createWorkspace({ cwd, roots: [cwd], environment: env })
  for (const tool of firstPartyTools(workspace)) scope.register(tool)
  const { allow, deny } = configuration.tools
  return registry
    .schemas(scope)
    .filter(({ name }) => (allow?.includes(name) ?? true) && !deny.includes(name))
    .flatMap(({ name }) => registry.get(name, scope) ?? [])
}

function drawn({ paint, width }: Canvas, { name, description, parameters, origin }: Listed): string {
  const required = new Set(Array.isArray(parameters['required']) ? parameters['required'] : [])
  const properties = isJsonObject(parameters['properties']) ? parameters['properties'] : {}
  const lines = Object.entries(properties).map(([key, schema]) => {
    const said = isJsonObject(schema) ? schema['description'] : undefined
    const about = typeof said === 'string' ? said : ''
    const mark = required.has(key) ? key : `${key}?`
    return `    ${paint('code', mark)} ${paint('dim', clip(about, Math.max(10, width - mark.length - 5)))}`
  })
  const [first = ''] = description.split('\n')
  return [
    `${paint('strong', name)} ${paint('dim', `(${origin})`)}`,
    `  ${clip(first, width - 2)}`,
    ...lines,
    '',
    '',
  ].join('\n')
}
