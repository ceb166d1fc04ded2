// A turn of the floor agent: the AI SDK's own loop, with a tool that reads and one that asks and writes.
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type AgentContext, type ContentBlock, methods, type SessionUpdate } from '@agentclientprotocol/sdk'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { isLoopFinished, jsonSchema, type ModelMessage, streamText, tool } from 'ai'

export interface Open {
  sessionId: string
  cwd: string
  messages: ModelMessage[]
}

const model = createOpenAICompatible({ name: 'floor', baseURL: process.env['FLOOR_URL'] ?? '' })('m')

export async function runTurn(open: Open, prompt: ContentBlock[], client: AgentContext): Promise<void> {
  const content = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('')
  open.messages.push({ role: 'user', content })
  const tools = toolsOf(open, client)
  const { stream, responseMessages } = streamText({
    model,
    tools,
    messages: open.messages,
    stopWhen: isLoopFinished(),
  })
  for await (const part of stream) {
    if (part.type !== 'text-delta') continue
    await tell(open, client, {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: part.text },
    })
  }
  open.messages.push(...(await responseMessages))
}

function tell({ sessionId }: Open, client: AgentContext, update: SessionUpdate): Promise<void> {
  return client.notify(methods.client.session.update, { sessionId, update })
}

const strings = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  required: names,
})

function toolsOf(open: Open, client: AgentContext) {
  const begin = (toolCallId: string, kind: 'read' | 'edit', path: string) =>
    tell(open, client, {
      sessionUpdate: 'tool_call',
      toolCallId,
      title: path,
      kind,
      locations: [{ path }],
      status: 'in_progress',
    })
  const end = (toolCallId: string) =>
    tell(open, client, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' })
  const read = tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema<{ file_path: string }>(strings('file_path')),
    execute: async ({ file_path: path }, { toolCallId }) => {
      await begin(toolCallId, 'read', path)
      const text = await readFile(resolve(open.cwd, path), 'utf8')
      await end(toolCallId)
      return text
    },
  })
  const write = tool({
    description: 'Writes a file.',
    inputSchema: jsonSchema<{ file_path: string; content: string }>(strings('file_path', 'content')),
    execute: async ({ file_path: path, content: newText }, { toolCallId }) => {
      await begin(toolCallId, 'edit', path)
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId: open.sessionId,
        toolCall: { toolCallId, content: [{ type: 'diff', path, newText }] },
        options: [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }],
      })
      if (outcome.outcome !== 'selected') return 'not allowed'
      await writeFile(resolve(open.cwd, path), newText)
      await end(toolCallId)
      return 'written'
    },
  })
  return { read, write }
}
