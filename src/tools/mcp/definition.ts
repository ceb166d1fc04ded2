// An imported tool as a definition of the registry.
import { thrownMessage } from '#json/thrown.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { ToolError } from '#registry/errors.ts'
import type { ToolReport, ToolRunContext } from '#registry/types.ts'
import type { GenericCallView } from '#registry/view.ts'
import { argumentsCheck } from './check-arguments.ts'
import { cutDescription } from './clean-schema.ts'
import { plainTitle } from './plain-title.ts'
import type { ImportedTool } from './tool-list.ts'
import { failureText, type McpValue, type ReadResult, readToolResult, renderResult } from './tool-result.ts'

export interface CallOptions {
  signal: AbortSignal
  /** Whether running it twice is harmless, as far as the server says. */
  repeatable: boolean
  report(progress: Extract<ToolReport, { kind: 'progress' }>): void
}

/** Sends a call to the server. Rejects with `ToolError`, or when `signal` aborts. */
export type SendCall = (rawName: string, args: JsonValue, options: CallOptions) => Promise<unknown>

/** Characters of JSON that a card is given as raw output. */
const LONGEST_RAW_OUTPUT = 64 * 1024

const OUTPUT: JsonObject = {
  type: 'object',
  properties: { content: { type: 'array' }, structuredContent: {} },
  required: ['content'],
}

export interface Wire {
  send: SendCall
  /** Told of structured content that does not fit what the server declared. */
  warn(message: string): void
}

export function importedDefinition(server: string, tool: ImportedTool, { send, warn }: Wire): ToolDefinition {
  const { name, description, parameters, hints } = tool
  const fits = tool.outputSchema && argumentsCheck(tool.outputSchema)
  return {
    name,
    description: description === '' ? cutDescription(tool.title) : description,
    parameters,
    external: true,
    output: {
      schema: OUTPUT,
      render: (_args, value) => renderResult(value as unknown as McpValue),
      presentationMeta: (_args, value) => metaOf(value as unknown as McpValue),
    },
    validate: validator(tool),
    isConcurrencySafe: () => hints.readOnly,
    execute: async (args, exec) => {
      const { value, isError } = await answer(tool, send, args, exec)
      if (isError) throw new ToolError('MCP_TOOL_FAILED', failureText(value), failureMeta(value))
      const violations = fits === undefined ? [] : outputFaults(value, fits)
      if (violations.length > 0)
        warn(`${tool.rawName}: its structured content does not fit its schema: ${violations.join('; ')}`)
      return value as unknown as JsonValue
    },
    ...presenters(server, tool),
  }
}

function presenters(server: string, tool: ImportedTool): Pick<ToolDefinition, 'presentCall' | 'preview'> {
  const presentCall = (args: JsonValue): GenericCallView => ({
    card: 'generic',
    title: plainTitle(`${tool.title} (${server})`),
    kind: tool.hints.readOnly ? 'read' : 'other',
    rawInput: args,
  })
  if (!tool.hints.destructive) return { presentCall }
  const content: ContentBlock[] = [
    { type: 'text', text: 'The server says that this may destroy or overwrite something.' },
  ]
  return { presentCall, preview: async (args) => ({ ...presentCall(args), content }) }
}

/** Arguments are an object on the wire, whatever a schema lets through. */
function validator(tool: ImportedTool): (args: JsonValue) => string[] {
  const check = argumentsCheck(tool.checked)
  return (args) => (isJsonObject(args) ? check(args) : ['"arguments" must be an object'])
}

async function answer(
  tool: ImportedTool,
  send: SendCall,
  args: JsonValue,
  { signal, report }: ToolRunContext,
): Promise<ReadResult> {
  let raw: unknown
  try {
    raw = await send(tool.rawName, args, {
      signal,
      repeatable: tool.hints.readOnly,
      report: (progress) => void report(progress).catch(() => undefined),
    })
  } catch (error) {
    // The pipeline says that the call was aborted, whatever is returned.
    if (signal.aborted) return { value: { content: [] }, isError: false }
    throw error
  }
  try {
    return readToolResult(raw)
  } catch (cause) {
    throw new ToolError('MCP_MALFORMED', thrownMessage(cause), { cause })
  }
}

function outputFaults(value: McpValue, fits: (value: JsonValue) => string[]): string[] {
  return value.structuredContent === undefined ? ['it is missing'] : fits(value.structuredContent)
}

function metaOf({ structuredContent }: McpValue): JsonObject | undefined {
  if (structuredContent === undefined) return undefined
  if (JSON.stringify(structuredContent).length > LONGEST_RAW_OUTPUT) return undefined
  return { rawOutput: structuredContent }
}

function failureMeta(value: McpValue): { meta?: JsonObject } {
  const meta = metaOf(value)
  return meta === undefined ? {} : { meta }
}
