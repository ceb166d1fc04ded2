// A client of the soak: keeps books about answers, order and what may not come behind an answer; reads slowly at times.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { BIN } from '../support/bin-client.ts'
import { byLine } from '../support/by-line.ts'
import { checkMessage } from '../support/validate-message.ts'

export interface Witnessed {
  heapUsed: number
  rss: number
  external: number
  arrayBuffers: number
  listeners: Record<string, number>
  /** Active resources of the event loop, by kind. */
  resources: Record<string, number>
  unhandled: number
  warnings: string[]
}

/** A request that has no answer yet; `turn`: the session that may speak until then. */
interface Waiting {
  method: string
  turn: string | undefined
  done: PromiseWithResolvers<Message>
}

export interface Message {
  id?: unknown
  method?: string
  params?: { sessionId?: string; update?: { sessionUpdate?: string } }
  result?: unknown
  error?: { code: number; message: string }
}

/** What a session may say when no turn of it runs. */
const BETWEEN_TURNS = new Set([
  'available_commands_update',
  'session_info_update',
  'usage_update',
  'current_mode_update',
  'config_option_update',
  'notice',
])

const WITNESS = fileURLToPath(new URL('witness.mjs', import.meta.url))

export class SoakClient {
  readonly child: ChildProcess
  readonly faults: string[] = []
  stderr = ''
  messages = 0
  /** Answers a permission question, or never does. */
  answer: (sessionId: string) => object | undefined = () => undefined
  readonly #waiting = new Map<number, Waiting>()
  readonly #turns = new Set<string>()
  #nextId = 1
  readonly exited: Promise<number | null>

  constructor(env: NodeJS.ProcessEnv) {
    const args = ['--expose-gc', '--import', WITNESS, BIN, 'acp']
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe', 'ipc'], env })
    this.child.stdout?.on(
      'data',
      byLine((line) => this.#take(line)),
    )
    this.child.stderr?.on(
      'data',
      (chunk: Buffer) => (this.stderr = (this.stderr + chunk.toString()).slice(-100_000)),
    )
    this.child.stdin?.on('error', () => undefined)
    this.exited = once(this.child, 'close').then(() => {
      for (const { done } of this.#waiting.values())
        done.reject(new Error(`the agent is gone: ${this.stderr.slice(-2000)}`))
      return this.child.exitCode
    })
  }

  /** The whole answer, error or not. */
  async request(method: string, params: { sessionId?: string; [field: string]: unknown }): Promise<Message> {
    const id = this.#nextId++
    const done = Promise.withResolvers<Message>()
    const isTurn = method === 'session/prompt' || method === 'session/load'
    const turn = isTurn ? String(params.sessionId) : undefined
    this.#waiting.set(id, { method, turn, done })
    if (turn !== undefined) this.#turns.add(turn)
    this.#write({ id, method, params })
    return done.promise
  }

  cancel(sessionId: string): void {
    this.#write({ method: 'session/cancel', params: { sessionId } })
  }

  async look(): Promise<Witnessed> {
    const told = once(this.child, 'message')
    this.child.send('look')
    return (await told)[0] as Witnessed
  }

  /** Reads nothing for a while. */
  dawdle(ms: number): void {
    this.child.stdout?.pause()
    setTimeout(() => this.child.stdout?.resume(), ms)
  }

  async end(): Promise<number | null> {
    this.child.stdin?.end()
    return this.exited
  }

  get unanswered(): number {
    return this.#waiting.size
  }

  #write(message: object): void {
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  #take(line: string): void {
    this.messages++
    const message = JSON.parse(line) as Message
    const waiting = message.method === undefined ? this.#waiting.get(message.id as number) : undefined
    // Every tenth: checking all would make the client the slow one.
    if (message.method === undefined || this.messages % 10 === 0)
      this.faults.push(
        ...checkMessage(message as never, waiting?.method).map(
          (fault) => `${fault} in ${line.slice(0, 300)}`,
        ),
      )
    if (message.method === undefined) return this.#answered(message, waiting, line)
    if (message.method === 'session/update') return this.#updated(message)
    if (message.method !== 'session/request_permission') return
    const result = this.answer(String(message.params?.sessionId))
    if (result !== undefined) this.#write({ id: message.id, result })
  }

  #answered(message: Message, waiting: Waiting | undefined, line: string): void {
    if (waiting === undefined) this.faults.push(`an answer to nobody, or a second one: ${line.slice(0, 300)}`)
    this.#waiting.delete(message.id as number)
    if (waiting?.turn !== undefined) this.#turns.delete(waiting.turn)
    waiting?.done.resolve(message)
  }

  #updated({ params }: Message): void {
    const kind = String(params?.update?.sessionUpdate)
    if (this.#turns.has(String(params?.sessionId)) || BETWEEN_TURNS.has(kind)) return
    this.faults.push(`${kind} behind the answer of its turn`)
  }
}
