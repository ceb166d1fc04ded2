// A model endpoint on 127.0.0.1 that speaks OpenAI's Chat Completions and answers at once, by a rule.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ChatMessage {
  role: string
  content?: string | readonly { text?: string }[]
}

/** What the model says: text, word by word, or calls. */
export type Answer = string | readonly { name: string; args: object }[]

export interface Endpoint {
  /** Without a trailing slash. */
  url: string
  /** Bodies of the requests, as they came. */
  bodies: string[]
  close(): void
}

const HEAD = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' }

export async function startEndpoint(answer: (messages: readonly ChatMessage[]) => Answer): Promise<Endpoint> {
  const bodies: string[] = []
  let calls = 0
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body)
      const said = answer((JSON.parse(body) as { messages: ChatMessage[] }).messages)
      response.socket?.setNoDelay(true)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const choice of choicesOf(said, () => `call_${++calls}`))
        response.write(`data: ${JSON.stringify({ ...HEAD, choices: [choice] })}\n\n`)
      response.end('data: [DONE]\n\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function choicesOf(said: Answer, callId: () => string): object[] {
  const choice = (delta: object, finish: string | null = null) => ({ index: 0, delta, finish_reason: finish })
  if (typeof said === 'string')
    return [
      ...said.split(/(?<= )/).map((word) => choice({ role: 'assistant', content: word })),
      choice({}, 'stop'),
    ]
  const calls = said.map(({ name, args }, index) => ({
    index,
    id: callId(),
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return [choice({ role: 'assistant', tool_calls: calls }), choice({}, 'tool_calls')]
}
