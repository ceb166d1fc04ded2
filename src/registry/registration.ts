// Registration: what a definition must be before anybody can call it.
import { compileSchema } from '#json/validate.ts'
import { MAX_SCHEMA_CONTAINERS, materialize } from '#json/materialize.ts'
import { isJsonObject } from '#json/value.ts'
import { TRANSPORT_NAME } from './core.ts'
import type { ToolDefinition } from './definition.ts'
import type { Filter, Layer, ToolEntry } from './layer.ts'
import type { ScopeFilter } from './scope.ts'

/** Checks a definition in the order of the specification and compiles it once. Throws. */
export function compileDefinition(definition: ToolDefinition): ToolEntry {
  const { name, description, output, timeoutMs } = definition
  const tool = `tool ${JSON.stringify(name)}`
  if (typeof output !== 'object' || output === null || typeof output.render !== 'function') {
    throw new TypeError(`${tool} needs an output with a schema and a render function`)
  }
  const checkOutput = compileSchema(output.schema)
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    throw new TypeError(`${tool}: timeoutMs must be positive and finite`)
  }
  if (typeof name !== 'string' || name === '') throw new TypeError('a tool needs a name')
  if (typeof description !== 'string') throw new TypeError(`${tool} needs a description`)
  if (typeof definition.execute !== 'function') throw new TypeError(`${tool} needs an execute function`)
  const parameters = materialize(definition.parameters, MAX_SCHEMA_CONTAINERS)
  if (!parameters.ok || !isJsonObject(parameters.value)) {
    throw new TypeError(`${tool}: parameters must be a JSON Schema object`)
  }
  return { definition, schema: { name, description, parameters: parameters.value }, checkOutput }
}

/** Throws when the name is reserved or taken in this layer. */
export function checkName(layer: Layer, name: string): void {
  if (name === TRANSPORT_NAME) throw new TypeError(`the tool name ${JSON.stringify(name)} is reserved`)
  if (layer.tools.has(name)) throw new TypeError(`a tool named ${JSON.stringify(name)} is registered already`)
}

/** Copies a filter's names and checks them against what the layer inherits. Throws. */
export function compileFilter(layer: Layer, filter: ScopeFilter): Filter {
  const allow = filter.allow === undefined ? undefined : new Set(filter.allow)
  const deny = new Set(filter.deny)
  if (allow === undefined ? deny.size === 0 : allow.size === 0) {
    throw new TypeError('a restriction needs a non-empty allow or deny list')
  }
  const inherited = new Set(layer.parent?.visible().keys())
  for (const name of [...(allow ?? []), ...deny]) {
    if (inherited.has(name) && !layer.tools.has(name)) continue
    const why =
      name === TRANSPORT_NAME ? 'is reserved' : layer.tools.has(name) ? 'is the scope’s own' : 'is not known'
    throw new TypeError(
      `can’t restrict ${JSON.stringify(name)}: it ${why}; known tools: ${[...inherited].toSorted().join(', ')}`,
    )
  }
  return { allow, deny }
}
