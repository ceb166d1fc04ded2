// `deckhand tools`: the tools that the model is offered in this directory, with their schemas and where they come from.
import { loadConfiguration } from '#config/load.ts'
import { isJsonObject } from '#json/value.ts'
import { sdkOf } from '#tools/code/sdk.ts'
import { clip } from './draw/text.ts'
import { type Canvas, canvasFor } from './draw/paint.ts'
import type { Host } from './host.ts'
import { type Listed, openToolbox } from './toolbox.ts'

/** Resolves with 0. With `json`, stdout is one JSON array; with `code`, TypeScript. What does not work is on stderr. */
export async function tools(host: Host, { json, code }: { json?: boolean; code?: boolean }): Promise<number> {
  const complain = (problem: string): void => void host.stderr.write(`deckhand: ${problem}\n`)
  const configuration = await loadConfiguration({ env: host.env, cwd: host.cwd })
  for (const warning of configuration.warnings) complain(warning)
  const toolbox = await openToolbox(host, configuration, complain)
  try {
    const canvas = canvasFor(host.stdout, host.env)
    host.stdout.write(
      code
        ? sdkOf(toolbox.registry, toolbox.scope)
        : json
          ? `${JSON.stringify(toolbox.listed, null, 2)}\n`
          : toolbox.listed.map((tool) => drawn(canvas, tool)).join(''),
    )
  } finally {
    await toolbox.dispose()
  }
  return 0
}

function drawn({ paint, width }: Canvas, { name, description, parameters, origin }: Listed): string {
  const required = new Set(Array.isArray(parameters['required']) ? parameters['required'] : [])
  const properties = isJsonObject(parameters['properties']) ? parameters['properties'] : {}
  const lines = Object.entries(properties).map(([key, schema]) => {
    const said = isJsonObject(schema) ? schema['description'] : undefined
    const about = typeof said === 'string' ? said : ''
    const mark = required.has(key) ? key : `${key}?`
    const shown = clip(about, Math.max(10, width - mark.length - 5))
    return `    ${paint('code', mark)}${about === '' ? '' : ` ${paint('dim', shown)}`}`
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
