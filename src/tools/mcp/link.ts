// The link to one server: connected, and connected again when it was lost. One restart at a time, whoever needs it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { McpServerConfig } from './config.ts'
import { type Connection, type ConnectionEvents, establish, type ListName } from './connection.ts'
import { brief, serverDown } from './failure.ts'
import type { ServerHost } from './host.ts'
import { connectRemote } from './remote.ts'
import type { ServerState } from './status.ts'
import { StderrTail } from './stderr-tail.ts'
import { StdioTransport } from './stdio-transport.ts'
import { MAX_TRIES, type Timing } from './timing.ts'

export interface LinkEvents {
  /** A connection is there; what it offers is read before it counts. A rejection ends it. */
  connected(connection: Connection): Promise<void>
  changed(list: ListName): void
  /** Something a person should hear once. */
  problem(text: string): void
  warning(text: string): void
  /** The state is another one. */
  moved(): void
}

export class Link {
  state: ServerState = 'starting'
  /** Why it is not ready. */
  problem: string | undefined
  authorizationUrl: string | undefined
  readonly stderr = new StderrTail()
  readonly #config: McpServerConfig
  readonly #host: ServerHost
  readonly #events: LinkEvents
  readonly #timing: Timing
  readonly #stop = new AbortController()
  #transport: StdioTransport | undefined
  #connection: Connection | undefined
  /** The tries that are under way: the first one, or those of a recovery. */
  #work: Promise<void> | undefined
  #wake: () => void = () => undefined
  /** Settles with the outcome of the try that comes next. */
  #next = Promise.withResolvers<void>()
  #tries = 0
  #told = false
  #gaveUpAt = 0

  constructor(config: McpServerConfig, host: ServerHost, events: LinkEvents, timing: Timing) {
    this.#config = config
    this.#host = host
    this.#events = events
    this.#timing = timing
  }

  get connection(): Connection | undefined {
    return this.#connection
  }

  /** The first try. Never rejects: a server that does not start is reported and left. */
  start(): Promise<void> {
    this.#work ??= this.#try().catch((error: unknown) => {
      if (this.#stop.signal.aborted) return
      this.#move('failed', brief(error))
      this.#events.problem(`did not start: ${brief(error)}`)
    })
    return this.#work
  }

  /** A connection, after at most one restart that is shared. Rejects with `ToolError`, or as soon as `signal` aborts. */
  async ready(signal: AbortSignal): Promise<Connection> {
    if (this.#connection) return this.#connection
    if (
      this.state === 'failed' &&
      this.#tries > 0 &&
      Date.now() - this.#gaveUpAt >= this.#timing.longestBackoff
    ) {
      this.#tries = MAX_TRIES - 1
      this.#move('reconnecting', this.problem)
      this.#recover()
    }
    if (this.#stop.signal.aborted || this.state === 'failed')
      throw serverDown(this.#config.name, this.problem ?? 'it was stopped')
    const outcome = this.#next.promise
    this.#wake()
    const aborted = Promise.withResolvers<never>()
    const giveUp = (): void => aborted.reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    try {
      await Promise.race([outcome, aborted.promise])
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
    if (this.#connection) return this.#connection
    throw serverDown(this.#config.name, this.problem ?? 'it was lost again')
  }

  /** A connection that turned out to be dead. */
  drop(connection: Connection): void {
    void connection.close().catch(() => undefined)
    this.#lost(connection)
  }

  /** A call went through: whatever failed before is over. */
  proven(): void {
    this.#tries = 0
    this.#told = false
  }

  /** How the server ended, for a sentence; undefined while nothing is known. */
  ending(): string | undefined {
    const how = this.#transport?.ending
    if (how === undefined) return undefined
    const said = this.stderr.reason()
    return said === '' ? `it ${how}` : `it ${how}: ${said}`
  }

  /** Settles when nothing of it is left. */
  async dispose(): Promise<void> {
    this.#stop.abort()
    this.#move('stopped')
    this.#wake()
    this.#next.resolve()
    const connection = this.#connection
    this.#connection = undefined
    await Promise.allSettled([connection?.close(), this.#transport?.close(), this.#work])
  }

  async #try(): Promise<void> {
    const over = this.#next
    try {
      const connection = await this.#open()
      if (this.#stop.signal.aborted) {
        await connection.close()
        return
      }
      await this.#events.connected(connection).catch(async (error: unknown) => {
        await connection.close().catch(() => undefined)
        throw error
      })
      this.#connection = connection
      this.#move('ready')
      void this.#settleDown(connection)
    } finally {
      this.#next = Promise.withResolvers()
      over.resolve()
    }
  }

  async #settleDown(connection: Connection): Promise<void> {
    await sleep(this.#timing.stable, undefined, { ref: false, signal: this.#stop.signal }).catch(
      () => undefined,
    )
    if (this.#connection === connection) this.proven()
  }

  async #open(): Promise<Connection> {
    let own: Connection | undefined
    let closed = false
    const events: ConnectionEvents = {
      changed: (list) => this.#events.changed(list),
      closed: () => {
        closed = true
        if (own) this.#lost(own)
      },
    }
    own = await this.#connect(events)
    if (closed) throw new Error(this.ending() ?? 'it closed the connection')
    return own
  }

  async #connect(events: ConnectionEvents): Promise<Connection> {
    const { signal } = this.#stop
    if (this.#config.type !== 'stdio') {
      const authorizing = (url: string | undefined): void => this.#authorizing(url)
      return connectRemote(this.#config, this.#host, { ...events, authorizing }, this.#timing, signal)
    }
    const { cwd, environment } = this.#host
    const noise = once((line: string) =>
      this.#events.warning(`it writes on stdout what is no protocol message: ${line.slice(0, 200)}`),
    )
    const transport = new StdioTransport(
      { server: this.#config, cwd, environment, onNoise: noise },
      this.stderr,
    )
    this.#transport = transport
    const server = this.#config
    const timeoutMs = this.#timing.handshake
    return establish({ server, transport, host: this.#host, events, timeoutMs, signal }).catch(
      (error: unknown) => {
        throw new Error(this.ending() ?? withWords(brief(error), this.stderr.reason()), { cause: error })
      },
    )
  }

  #authorizing(url: string | undefined): void {
    this.authorizationUrl = url
    if (url === undefined) return
    this.#move('authorizing', 'it waits for a person to authorize it')
    this.#events.problem(`wants to be authorized: open ${url}`)
  }

  #lost(connection: Connection): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    if (this.#stop.signal.aborted) return
    const why = this.ending() ?? 'the connection was lost'
    this.#move('reconnecting', why)
    if (!this.#told) this.#events.problem(`was lost (${why}) and is being started again`)
    this.#told = true
    this.#recover()
  }

  #recover(): void {
    const before = this.#work
    const work = (async () => {
      await before
      await this.#reconnect()
    })()
    this.#work = work
  }

  /** Never rejects. */
  async #reconnect(): Promise<void> {
    while (this.#tries < MAX_TRIES && !this.#connection) {
      const { backoff, longestBackoff } = this.#timing
      await this.#pause(Math.min(longestBackoff, backoff * 2 ** this.#tries))
      if (this.#stop.signal.aborted) return
      this.#tries += 1
      try {
        await this.#try()
      } catch (error) {
        this.#move('reconnecting', brief(error))
      }
    }
    if (this.#connection || this.#stop.signal.aborted || this.state === 'failed') return
    this.#gaveUpAt = Date.now()
    this.#move('failed', this.problem)
    this.#events.problem(`could not be started again: ${this.problem ?? ''}`)
  }

  /** Until the time is over, or somebody needs the server now. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    timer.unref()
    this.#wake = resolve
    await promise
    clearTimeout(timer)
    this.#wake = () => undefined
  }

  #move(state: ServerState, problem?: string): void {
    if (this.state === 'stopped') return
    this.state = state
    this.problem = problem
    this.#events.moved()
  }
}

function once(tell: (line: string) => void): (line: string) => void {
  let told = false
  return (line) => {
    if (!told) tell(line)
    told = true
  }
}

function withWords(text: string, said: string): string {
  return said === '' ? text : `${text} (it said: ${said})`
}
