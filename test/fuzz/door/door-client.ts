// A client that says anything, on the built command's stdio, and keeps books about the answers.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { byLine } from '../../support/by-line.ts'
import { checkMessage } from '../../support/validate-message.ts'
import type { Answer } from './episode.ts'
import { Ledger, owedFor } from './expected.ts'

type Wire = {
  id?: unknown
  method?: string
  params?: { sessionId?: string; update?: unknown }
  result?: { sessionId?: unknown }
  error?: unknown
}

export class DoorClient {
  readonly child: ChildProcess
  stderr = ''
  /** What the agent did wrong. */
  readonly faults: string[] = []
  /** Sessions that were ever given out. */
  readonly sessions = new Set<string>()
  answers: Answer[] = []
  #ledger = new Ledger()
  readonly #got = new Map<string, Wire[]>()
  readonly #open = new Map<unknown, string>()
  #answered = 0
  readonly #patience: number
  #wake = Promise.withResolvers<void>()
  readonly exited: Promise<unknown>

  /** `patience`: milliseconds that everything may take to settle. */
  constructor(bin: string, env: Record<string, string | undefined>, patience = 20_000) {
    this.#patience = patience
    this.child = spawn(process.execPath, [bin, 'acp'], { stdio: 'pipe', env: env as NodeJS.ProcessEnv })
    const receive = byLine((line) => this.#line(line))
    this.child.stdout?.on('data', (chunk: Buffer) => {
      receive(chunk)
      this.#tell()
    })
    this.child.stderr?.on(
      'data',
      (chunk: Buffer) => (this.stderr = (this.stderr + chunk.toString()).slice(-20_000)),
    )
    this.child.stdin?.on('error', () => undefined)
    this.exited = once(this.child, 'close').then(() => this.#tell())
  }

  /** `line` has no newline. */
  say(line: string, cut = 0): void {
    for (const part of line.split('\n')) this.#ledger.owe(part)
    const bytes = Buffer.from(`${line}\n`)
    const { stdin } = this.child
    if (cut === 0 || cut >= bytes.length) stdin?.write(bytes)
    else {
      stdin?.write(bytes.subarray(0, cut))
      stdin?.write(bytes.subarray(cut))
    }
  }

  async ask(id: string, method: string, params: unknown): Promise<Wire> {
    this.say(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    await this.until(() => this.#got.has(JSON.stringify(id)))
    return this.#got.get(JSON.stringify(id))?.[0] as Wire
  }

  /** How many messages the agent was sent that want an answer. */
  get asked(): number {
    return this.#ledger.asked
  }

  /** Lets everything that runs come to an end; the faults tell what did not. */
  async settle(): Promise<void> {
    const deadline = Date.now() + this.#patience
    while (!this.#isSettled() && this.child.exitCode === null) {
      if (Date.now() > deadline) {
        this.faults.push(`no answer to ${this.#missing().join(', ')}`)
        return
      }
      for (const sessionId of this.sessions)
        this.#write({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId } })
      for (const id of this.#open.keys())
        this.#write({ jsonrpc: '2.0', id, error: { code: -32601, message: 'over' } })
      this.#open.clear()
      await Promise.race([this.#wake.promise, new Promise((resolve) => setTimeout(resolve, 100))])
    }
    if (this.child.exitCode !== null)
      this.faults.unshift(`the agent is gone (${this.child.exitCode}): ${this.stderr.slice(-2000)}`)
  }

  /** Forgets what has been settled, so that ids may come again. */
  forget(): void {
    for (const [id, methods] of this.#ledger.byId) {
      const got = this.#got.get(id)?.length ?? 0
      const owed = methods.length + (id === 'null' ? this.#ledger.nameless : 0)
      if (got !== owed) this.faults.push(`${got} answers to ${owed} requests ${id} (${methods.join(', ')})`)
    }
    if (/outside a request|UnhandledPromise|Uncaught/.test(this.stderr))
      this.faults.push(this.stderr.slice(-2000))
    this.#ledger = new Ledger()
    this.#got.clear()
    this.stderr = ''
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.child.exitCode !== null) throw new Error(`the agent is gone: ${this.stderr.slice(-2000)}`)
      await this.#wake.promise
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
  }

  #missing(): string[] {
    const lacking: string[] = []
    const owed = new Map(this.#ledger.byId)
    if (this.#ledger.nameless > 0)
      owed.set('null', [
        ...(owed.get('null') ?? []),
        ...Array.from({ length: this.#ledger.nameless }, () => 'what is no message'),
      ])
    for (const [id, methods] of owed)
      if ((this.#got.get(id)?.length ?? 0) < methods.length) lacking.push(`${id} (${methods.join(', ')})`)
    return lacking
  }

  #isSettled(): boolean {
    return this.#missing().length === 0
  }

  #line(line: string): void {
    let message: Wire
    try {
      message = JSON.parse(line) as Wire
    } catch {
      this.faults.push(`no JSON on stdout: ${line.slice(0, 300)}`)
      return
    }
    if (message.method !== undefined) return this.#called(message, line)
    const id = JSON.stringify(message.id)
    this.#got.set(id, [...(this.#got.get(id) ?? []), message])
    const session = message.result?.sessionId
    if (typeof session === 'string') this.sessions.add(session)
    const methods = this.#ledger.byId.get(id) ?? []
    if (methods.length === 0 && !(id === 'null' && message.error !== undefined))
      this.faults.push(`an answer to nobody: ${line.slice(0, 300)}`)
    const verdicts = (methods.length === 0 ? [undefined] : methods).map((method) =>
      checkMessage(message as never, method),
    )
    if (!verdicts.some((faults) => faults.length === 0))
      this.faults.push(`${verdicts[0]?.join('; ')} in ${line.slice(0, 300)}`)
  }

  #called(message: Wire, line: string): void {
    const faults = checkMessage(message as never)
    if (faults.length > 0 && !message.method?.startsWith('$/'))
      this.faults.push(`${faults.join('; ')} in ${line.slice(0, 300)}`)
    if (message.id === undefined) return
    this.#open.set(message.id, message.method ?? '')
    const answer = this.answers[this.#answered++ % this.answers.length] ?? 'never'
    if (answer === 'never') return
    const body = answer === 'twice' ? { result: null } : answer
    this.#open.delete(message.id)
    for (let times = answer === 'twice' ? 2 : 1; times > 0; times--)
      this.#write({ jsonrpc: '2.0', id: message.id, ...body })
  }

  #write(message: object): void {
    const line = JSON.stringify(message)
    if (owedFor(line).kind !== 'nothing') throw new Error('an answer that asks for one')
    this.child.stdin?.write(`${line}\n`)
  }

  #tell(): void {
    this.#wake.resolve()
    this.#wake = Promise.withResolvers<void>()
  }
}
