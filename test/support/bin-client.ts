// A bare client at the other end of the built command's stdio: sees every line, answers what it is asked.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { byLine } from './by-line.ts'
import { checkMessage } from './validate-message.ts'

/** JSON of the wire: tests say what they expect to find. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any

export const BIN = fileURLToPath(new URL('../../bin/deckhand.js', import.meta.url))

export interface BinClientInit {
  /** What is run; default: the built command under this Node. */
  command?: readonly [file: string, ...args: string[]]
  env?: Record<string, string | undefined>
  /** Whether the environment of the tests shines through; default true. */
  inherit?: boolean
  cwd?: string
  /** Answers `session/request_permission`; default: allow once. `never` leaves it open. */
  permission?: (params: Wire) => unknown
  /** Answers other requests of the agent with a result; without it they are the test's to answer. */
  answer?: (method: string, params: Wire) => unknown
}

export class BinClient {
  readonly child: ChildProcess
  /** Every line that came out, in order. */
  readonly lines: string[] = []
  readonly messages: Wire[] = []
  /** What is wrong with the agent's messages, by the published schema. */
  readonly faults: string[] = []
  stderr = ''
  permission: (params: Wire) => unknown
  readonly answer: ((method: string, params: Wire) => unknown) | undefined
  readonly #answers = new Map<number, PromiseWithResolvers<Wire>>()
  readonly #watchers = new Set<() => void>()
  /** The method of each request, for the schema of its answer. */
  readonly #asked = new Map<unknown, string>()
  readonly #exited: Promise<number | null>
  #nextId = 1

  constructor({ command, env = {}, inherit = true, cwd, permission, answer }: BinClientInit = {}) {
    this.answer = answer
    this.permission = permission ?? (() => selected('allow-once'))
    const [file, ...args] = command ?? [process.execPath, BIN, 'acp']
    this.child = spawn(file, args, {
      stdio: 'pipe',
      env: { ...(inherit && process.env), ...env } as NodeJS.ProcessEnv,
      ...(cwd !== undefined && { cwd }),
    })
    const receive = byLine((line) => this.#line(line))
    this.child.stdout?.on('data', (chunk: Buffer) => {
      receive(chunk)
      this.#tell()
    })
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.child.stdin?.on('error', () => undefined)
    this.#exited = once(this.child, 'close').then(() => {
      for (const answer of this.#answers.values())
        answer.reject(new Error(`the agent is gone: ${this.stderr}`))
      this.#tell()
      return this.child.exitCode
    })
    onTestFinished(async () => {
      this.child.kill('SIGKILL')
      await this.#exited
    })
  }

  /** Rejects with the JSON-RPC error object. */
  request(method: string, params?: unknown): Promise<Wire> {
    const id = this.#nextId++
    const answer = Promise.withResolvers<Wire>()
    answer.promise.catch(() => undefined)
    this.#answers.set(id, answer)
    this.send({ id, method, ...(params !== undefined && { params }) })
    return answer.promise
  }

  notify(method: string, params?: unknown): void {
    this.send({ method, params })
  }

  send(message: { id?: unknown; method?: string; [field: string]: unknown }): void {
    const whole = { jsonrpc: '2.0', ...message }
    if (whole.method !== undefined) this.#asked.set(whole.id, whole.method)
    this.raw(`${JSON.stringify(whole)}\n`)
  }

  raw(data: string | Uint8Array): void {
    this.child.stdin?.write(data)
  }

  initialize(clientCapabilities: object = { _meta: { terminal_output: true } }): Promise<Wire> {
    return this.request('initialize', { protocolVersion: 1, clientCapabilities })
  }

  /** Initializes and opens a session. */
  async open(cwd: string, clientCapabilities?: object): Promise<string> {
    await this.initialize(clientCapabilities)
    return (await this.request('session/new', { cwd, mcpServers: [] })).sessionId as string
  }

  prompt(sessionId: string, text: string): Promise<Wire> {
    return this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  }

  /** The `update` objects of a session, in order. */
  updates(sessionId?: string): Wire[] {
    return this.messages
      .filter(
        ({ method, params }) =>
          method === 'session/update' && (sessionId ?? params.sessionId) === params.sessionId,
      )
      .map(({ params }) => params.update)
  }

  /** The first message, past or coming, that the predicate likes. */
  async seen(predicate: (message: Wire) => boolean): Promise<Wire> {
    for (;;) {
      const found = this.messages.find(predicate)
      if (found !== undefined) return found
      if (this.child.exitCode !== null) throw new Error(`the agent is gone: ${this.stderr}`)
      await new Promise<void>((resolve) => {
        this.#watchers.add(resolve)
      })
      this.#watchers.clear()
    }
  }

  /** Closes stdin and waits for the end; the exit code. */
  async end(): Promise<number | null> {
    this.child.stdin?.end()
    return this.exited
  }

  get exited(): Promise<number | null> {
    return this.#exited
  }

  #line(line: string): void {
    this.lines.push(line)
    const message: Wire = JSON.parse(line)
    this.messages.push(message)
    this.faults.push(...checkMessage(message, this.#asked.get(message.id)))
    if (message.method === undefined) {
      const answer = this.#answers.get(message.id as number)
      if (message.error) answer?.reject(message.error)
      else answer?.resolve(message.result)
    } else if (message.method === 'session/request_permission') {
      const result = this.permission(message.params)
      if (result !== 'never') this.send({ id: message.id, result })
    } else if (message.id !== undefined && this.answer) {
      this.send({ id: message.id, result: this.answer(message.method as string, message.params) })
    }
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher()
  }
}

/** A permission outcome. */
export function selected(optionId: string): object {
  return { outcome: { outcome: 'selected', optionId } }
}
