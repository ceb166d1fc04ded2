// mcp_read_resource: what servers offer to read, listed and read through one tool.
import { isJsonObject, type JsonObject } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolError } from '#registry/errors.ts'
import { code } from '#registry/view.ts'
import { Allowance, resourceBlock } from './content-block.ts'
import { renderResult } from './tool-result.ts'

export const READ_RESOURCE = 'mcp_read_resource'

/** The side of a server that this tool needs. All reject with `ToolError`, or when `signal` aborts. */
export interface ResourceServer {
  readonly name: string
  readonly hasResources: boolean
  listResources(signal: AbortSignal): Promise<{ resources: unknown[]; templates: unknown[] }>
  readResource(uri: string, signal: AbortSignal): Promise<unknown>
}

export function readResourceTool(servers: () => readonly ResourceServer[]): ToolDefinition {
  const definition = defineTool({
    name: READ_RESOURCE,
    description:
      'Reads a resource of an MCP server (a file, a record, a page that the server offers) by its URI. Without a URI it lists the resources of the server, and the templates of URIs that it understands.',
    parameters: {
      server: { type: 'string', required: true, description: 'The name of the MCP server.' },
      uri: { type: 'string', description: 'The URI of the resource; leave it out to list what there is.' },
    },
    output: {
      schema: {
        type: 'object',
        properties: { content: { type: 'array', required: true } },
        additionalProperties: false,
      },
      render: (_args, { content }) => renderResult({ content: content as unknown as ContentBlock[] }),
    },
    isConcurrencySafe: () => true,
    async execute({ server, uri }, { signal }) {
      const found = servers().find(({ name, hasResources }) => name === server && hasResources)
      if (found === undefined) throw unknownServer(server, servers())
      const content =
        uri === undefined
          ? listing(await found.listResources(signal))
          : contents(uri, await found.readResource(uri, signal))
      return { content: content as never[] }
    },
    presentCall: ({ server, uri }) => ({
      card: 'generic',
      title: uri === undefined ? `List resources of ${code(server)}` : `Read ${code(uri)} of ${code(server)}`,
      kind: 'read',
      rawInput: { server, ...(uri !== undefined && { uri }) },
    }),
  })
  return { ...definition, external: true }
}

function unknownServer(server: string, servers: readonly ResourceServer[]): ToolError {
  const known = servers.filter(({ hasResources }) => hasResources).map(({ name }) => name)
  const there = known.length === 0 ? 'there are none now' : `there are ${known.join(', ')}`
  return new ToolError('MCP_NO_SERVER', `no MCP server ${JSON.stringify(server)} with resources: ${there}`)
}

function listing({ resources, templates }: { resources: unknown[]; templates: unknown[] }): ContentBlock[] {
  const lines = [
    ...resources.flatMap((item) => line(item, 'uri')),
    ...templates.flatMap((item) => line(item, 'uriTemplate')),
  ]
  return [{ type: 'text', text: lines.length === 0 ? 'The server lists no resources.' : lines.join('\n') }]
}

function line(item: unknown, key: 'uri' | 'uriTemplate'): string[] {
  if (!isJsonObject(item) || typeof item[key] !== 'string') return []
  const about = ['name', 'title', 'description', 'mimeType'].map((field) => item[field])
  const said = [...new Set(about.filter((one): one is string => typeof one === 'string' && one !== ''))]
  return [`${item[key]}${said.length > 0 ? `: ${said.join(', ')}` : ''}`]
}

function contents(uri: string, result: unknown): ContentBlock[] {
  const list = isJsonObject(result) ? result['contents'] : undefined
  if (!Array.isArray(list)) throw new ToolError('MCP_MALFORMED', `the server gave no contents for ${uri}`)
  const allowance = new Allowance()
  const blocks = list.filter((item): item is JsonObject => isJsonObject(item))
  return blocks.map((item) => resourceBlock({ uri, ...item }, allowance))
}
