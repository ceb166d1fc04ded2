// The stdio transport: a server as a child in its own process group, one JSON-RPC message a line.
import { thrownMessage } from '#json/thrown.ts'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { execa } from 'execa'
import { isJsonObject } from '#json/value.ts'
import { createProcessTree } from '#workspace/process-tree.ts'
import { commandEnvironment } from '#workspace/shell-environment.ts'
import type { StdioServer } from './config.ts'
import { MessageLines } from './message-lines.ts'
import type { StderrTail } from './stderr-tail.ts'
import { watchGroup } from './watchdog.ts'
import { type Launch, windowsLaunch } from './windows-command.ts'

/** How long a server may take to leave by itself once its input has ended, in milliseconds. */
const EOF_GRACE_MS = 200
const TERM_GRACE_MS = 500
/** How long output is read on when the server is gone. */
const LINGER_MS = 250

export interface StdioTransportOptions {
  server: StdioServer
  cwd: string
  environment: NodeJS.ProcessEnv
  /** Something on stdout that is no protocol message. */
  onNoise(line: string): void
}

/** A `Transport` of the library, whose own can't start process groups. `start` rejects when nothing was started. */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  readonly stderr: StderrTail
  /** How the server ended by itself; undefined while it runs, and when we ended it. */
  ending: string | undefined
  readonly #options: StdioTransportOptions
  readonly #tree = createProcessTree()
  #child: ReturnType<typeof spawnServer> | undefined
  #unwatch: () => void = () => undefined
  #closing: Promise<void> | undefined

  constructor(options: StdioTransportOptions, stderr: StderrTail) {
    this.#options = options
    this.stderr = stderr
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async start(): Promise<void> {
    const child = spawnServer(this.#options, this.#tree.environment)
    const settled = child.then((result) => result)
    if (child.pid === undefined) throw new Error(startFailure(this.#options, (await settled).code))
    this.#child = child
    this.#tree.adopt(child.pid)
    this.#unwatch = watchGroup(child.pid, this.#tree.environment)
    const lines = new MessageLines((line) => this.#take(line))
    child.stdout.on('data', (chunk: Buffer) => this.#read(lines, chunk))
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk))
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error: Error) => this.onerror?.(error))
    }
    const drained = new Promise<void>((resolve) => child.stdout.once('close', resolve))
    child.stdout.once('end', () => {
      void sleep(LINGER_MS, undefined, { ref: false }).then(() => this.#gone('closed its output'))
    })
    child.nodeChildProcess.once('exit', (code, signal) => {
      const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`
      if (this.#closing === undefined) this.ending ??= how
      void Promise.race([drained, sleep(LINGER_MS)]).then(() => this.close())
    })
  }

  /** Rejects when the server is gone. A server that doesn't read does not hold this up. */
  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child
    if (child === undefined || this.#closing !== undefined || !child.stdin.writable)
      throw new Error('the server is gone')
    child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  async #gone(how: string): Promise<void> {
    if (this.#closing === undefined) this.ending ??= how
    await this.close()
  }

  /** Ends the input, then the whole group. Settles when nothing of it is left. */
  close(): Promise<void> {
    this.#closing ??= this.#end().finally(() => this.onclose?.())
    return this.#closing
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined) return
    const { exitCode, signalCode } = child.nodeChildProcess
    child.stdin.end()
    if (exitCode === null && signalCode === null) {
      const exited = new Promise<void>((resolve) => child.nodeChildProcess.once('exit', () => resolve()))
      await Promise.race([exited, sleep(EOF_GRACE_MS)])
    }
    await this.#tree.end(TERM_GRACE_MS)
    this.#unwatch()
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  }

  #read(lines: MessageLines, chunk: Buffer): void {
    try {
      lines.push(chunk)
    } catch (error) {
      this.ending ??= thrownMessage(error)
      this.onerror?.(new Error(this.ending))
      void this.close()
    }
  }

  /** One line: a message, a batch of them, or noise. */
  #take(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return this.#options.onNoise(line)
    }
    for (const message of Array.isArray(value) ? value : [value]) {
      try {
        this.onmessage?.(parseJSONRPCMessage(message))
      } catch {
        const answer = malformedAnswer(message)
        if (answer) this.onmessage?.(answer)
        else this.#options.onNoise(line)
      }
    }
  }
}

/** A failed answer in place of one that is no JSON-RPC, so that nobody waits for it. */
function malformedAnswer(message: unknown): JSONRPCMessage | undefined {
  if (!isJsonObject(message) || 'method' in message) return undefined
  const { id } = message
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  return { jsonrpc: '2.0', id, error: { code: -32_603, message: 'the answer is malformed' } }
}

function spawnServer(
  { server, cwd, environment }: StdioTransportOptions,
  mark: Readonly<Record<string, string>>,
) {
  const env = { ...commandEnvironment(environment), ...server.env, ...mark }
  const { file, args, verbatim } = launchOf(server, cwd, env)
  return execa(file, args, {
    cwd: server.cwd ?? cwd,
    env,
    extendEnv: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    encoding: 'buffer',
    reject: false,
    killDescendants: true,
    forceKillAfterDelay: false,
    windowsVerbatimArguments: verbatim,
  })
}

function launchOf({ command, args }: StdioServer, cwd: string, env: NodeJS.ProcessEnv): Launch {
  if (process.platform !== 'win32') return { file: command, args: [...args], verbatim: false }
  const read = (path: string): string | undefined => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
  }
  return windowsLaunch(command, args, { env, cwd, exists: existsSync, read })
}

function startFailure({ server, cwd }: StdioTransportOptions, code: string | undefined): string {
  if (code === 'ENOENT') return `${server.command} was not found (on PATH, or from ${cwd})`
  return `${server.command} could not be started (${code ?? 'unknown error'})`
}
