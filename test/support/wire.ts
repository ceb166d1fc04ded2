// A client on the other end of a bridge: real frames over in-memory streams, every outgoing message validated.
import { PassThrough, Readable, Writable } from 'node:stream'
import {
  client,
  ndJsonStream,
  type ClientCapabilities,
  type ClientConnection,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { createBridge, type Bridge, type BridgeOptions } from '#bridge/bridge.ts'
import { FakeAgent, type FakeAgentOptions } from './fake-agent.ts'
import { checkMessage, type Message } from './validate-message.ts'

export interface Line extends Message {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: Record<string, unknown> }
  params?: { sessionId?: string; update?: SessionUpdate } & Record<string, unknown>
}

/** The raw side: lines in, lines out. */
export class RawWire {
  readonly agent: FakeAgent
  readonly bridge: Bridge
  readonly input = new PassThrough()
  readonly output = new PassThrough()
  /** What came out, but for lists of commands, which come when they are read. */
  readonly lines: Line[] = []
  readonly advertised: Line[] = []
  readonly log: string[] = []
  readonly #asked = new Map<unknown, string>()
  readonly problems: string[] = []
  #rest = ''
  #wake: (() => void)[] = []

  constructor(agent: FakeAgentOptions = {}, more: Partial<BridgeOptions> = {}) {
    this.agent = new FakeAgent(agent)
    this.output.on('data', (chunk: Buffer) => this.#take(chunk.toString()))
    this.bridge = createBridge({
      agent: this.agent,
      input: this.input,
      output: this.output,
      version: '1.2.3',
      log: (level, message) => this.log.push(`${level} ${message}`),
      ...more,
    })
  }

  request(id: number | string, method: string, params: unknown): void {
    this.note(id, method)
    this.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  }
  notify(method: string, params: unknown): void {
    this.send(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`)
  }
  note(id: unknown, method: string): void {
    this.#asked.set(id, method)
  }
  send(text: string | Uint8Array): void {
    this.input.write(text)
  }
  /** The first line that fits, now or later. */
  async until(matches: (line: Line) => boolean): Promise<Line> {
    for (;;) {
      const found = this.lines.find(matches)
      if (found) return found
      await new Promise<void>((resolve) => this.#wake.push(resolve))
    }
  }
  response(id: number | string): Promise<Line> {
    return this.until((line) => line.method === undefined && line.id === id)
  }
  async open(cwd: string, capabilities: ClientCapabilities = {}): Promise<string> {
    this.request('init', 'initialize', { protocolVersion: 1, clientCapabilities: capabilities })
    await this.response('init')
    this.request('new', 'session/new', { cwd, mcpServers: [] })
    return String((await this.response('new')).result?.['sessionId'])
  }
  async hello(): Promise<void> {
    this.request('init', 'initialize', { protocolVersion: 1 })
    await this.response('init')
  }
  prompt(id: number | string, sessionId: string, text = 'hi'): void {
    this.request(id, 'session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const raw of lines) {
      const line = JSON.parse(raw) as Line
      const commands = line.params?.update?.sessionUpdate === 'available_commands_update'
      if (commands) this.advertised.push(line)
      else this.lines.push(line)
      this.problems.push(
        ...checkMessage(line, this.#asked.get(line.id)).map(
          (problem) => `${problem} in ${raw.slice(0, 300)}`,
        ),
      )
    }
    for (const wake of this.#wake.splice(0)) wake()
  }
}

export interface Client {
  wire: RawWire
  agent: FakeAgent
  connection: ClientConnection
  asked: RequestPermissionRequest[]
}

/** The library's client on the raw wire; `answer` settles permission questions. */
export async function connectClient(
  fake: FakeAgentOptions,
  capabilities: ClientCapabilities = {},
  answer: (
    request: RequestPermissionRequest,
  ) => Promise<RequestPermissionResponse> | RequestPermissionResponse = () => ({
    outcome: { outcome: 'selected', optionId: 'allow-once' },
  }),
  more: Partial<BridgeOptions> = {},
): Promise<Client> {
  const wire = new RawWire(fake, more)
  const asked: RequestPermissionRequest[] = []
  const toAgent = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      for (const line of chunk.toString().split('\n')) {
        if (line === '') continue
        const { id, method } = JSON.parse(line) as { id?: unknown; method?: string }
        if (method !== undefined) wire.note(id, method)
      }
      wire.input.write(chunk, done)
    },
    final: (done) => wire.input.end(done),
  })
  const fromAgent = wire.output.pipe(new PassThrough())
  const connection = client()
    .onRequest('session/request_permission', (context) => {
      asked.push(context.params)
      return answer(context.params)
    })
    .onNotification('session/update', () => {})
    .connect(ndJsonStream(Writable.toWeb(toAgent), Readable.toWeb(fromAgent) as ReadableStream<Uint8Array>))
  await connection.agent.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities })
  return { wire, agent: wire.agent, connection, asked }
}
