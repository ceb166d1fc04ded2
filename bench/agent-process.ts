// An agent as a child process with a real client at its other end; what it does is timed from outside.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import {
  client,
  type ClientConnection,
  methods,
  ndJsonStream,
  type PromptRequest,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import { timed } from './figure.ts'

export class AgentProcess {
  readonly #child: ChildProcess
  readonly #connection: ClientConnection
  readonly #exited: Promise<unknown>
  /** Permission prompts so far. */
  asked = 0

  constructor(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string) {
    const child = spawn(process.execPath, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child = child
    this.#exited = once(child, 'exit')
    const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>
    this.#connection = client({ name: 'bench' })
      .onNotification(methods.client.session.update, () => {})
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.#allow(params))
      .connect(ndJsonStream(Writable.toWeb(child.stdin), output))
  }

  async initialize(): Promise<void> {
    await this.#connection.agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: {},
    })
  }

  /** The id of a new session. */
  async open(cwd: string): Promise<string> {
    const { session } = methods.agent
    return (await this.#connection.agent.request(session.new, { cwd, mcpServers: [] })).sessionId
  }

  /** Milliseconds of a turn. Throws when it ends otherwise than it should. */
  prompt(sessionId: string, text: string): Promise<number> {
    return timed(async () => {
      const request: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] }
      const { stopReason } = await this.#connection.agent.request<PromptResponse, PromptRequest>(
        methods.agent.session.prompt,
        request,
      )
      if (stopReason !== 'end_turn') throw new Error(`${text}: the turn ended with ${stopReason}`)
    })
  }

  /** Its largest resident set so far, in MB; `NaN` where the system does not tell. */
  get peakMB(): number {
    if (process.platform !== 'linux') return Number.NaN
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1000
  }

  /** Milliseconds from the end of its input to its exit. */
  end(): Promise<number> {
    return timed(() => {
      this.#child.stdin?.end()
      return this.#exited
    })
  }

  #allow({ options }: RequestPermissionRequest): RequestPermissionResponse {
    this.asked++
    const allow = options.find(({ kind }) => kind === 'allow_once')
    return { outcome: allow ? { outcome: 'selected', optionId: allow.optionId } : { outcome: 'cancelled' } }
  }
}
