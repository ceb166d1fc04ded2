// One server of a session: its link, and what it offers.
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject, JsonValue } from '#json/value.ts'
import { isJsonObject } from '#json/value.ts'
import type { McpServerConfig } from './config.ts'
import { type Connection, isLost, isUnknownMethod, type ListName, neverRan } from './connection.ts'
import type { CallOptions } from './definition.ts'
import { brief, requestFailure } from './failure.ts'
import type { ServerHost } from './host.ts'
import { Link } from './link.ts'
import { listAll } from './paging.ts'
import { type McpPrompt, readPrompts } from './prompts.ts'
import type { ResourceServer } from './resources.ts'
import type { McpServerStatus } from './status.ts'
import { targetOf } from './target.ts'
import type { Timing } from './timing.ts'
import { type ImportedTool, judgeTools } from './tool-list.ts'

/** Refreshes of a changed list that may fail in a row; then the old list stays. */
const MAX_REFRESHES = 5
const MAX_WARNINGS = 20

export interface ServerEvents {
  /** The tools are these from now on. Returns one sentence for each that could not be registered. */
  tools(tools: readonly ImportedTool[]): string[]
  /** Said once to a person. */
  problem(text: string): void
  /** State, tools or prompts are others. */
  moved(): void
}

type Limits = Pick<CallOptions, 'signal'> & Partial<CallOptions>

export class McpServer implements ResourceServer {
  readonly config: McpServerConfig
  prompts: McpPrompt[] = []
  hasResources = false
  readonly #link: Link
  readonly #events: ServerEvents
  readonly #timing: Timing
  readonly #warnings = new Set<string>()
  readonly #stale = new Set<ListName>()
  #tools: readonly ImportedTool[] = []
  #refreshing = false
  #stopped = false
  #startMs: number | undefined

  constructor(config: McpServerConfig, host: ServerHost, events: ServerEvents, timing: Timing) {
    this.config = config
    this.#events = events
    this.#timing = timing
    this.#link = new Link(
      config,
      host,
      {
        connected: (connection) => this.#takeStock(connection),
        changed: (list) => this.#changed(list),
        problem: (text) => events.problem(`MCP server ${JSON.stringify(config.name)} ${text}`),
        warning: (text) => this.#warn(text),
        moved: () => events.moved(),
      },
      timing,
    )
  }

  get name(): string {
    return this.config.name
  }

  /** Settles when the first try is over. Never rejects. */
  async start(): Promise<void> {
    const began = performance.now()
    await this.#link.start()
    if (this.#link.state === 'ready') this.#startMs = performance.now() - began
  }

  /** Rejects with `ToolError`, or when `signal` aborts. */
  call(rawName: string, args: JsonValue, options: CallOptions): Promise<unknown> {
    const params = { name: rawName, arguments: isJsonObject(args) ? args : {} }
    return this.#request('tools/call', params, `the call of ${rawName}`, options, this.#timing.call)
  }

  getPrompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<unknown> {
    const options = { signal, repeatable: true }
    return this.#request('prompts/get', { name, arguments: args }, `the prompt ${name}`, options)
  }

  readResource(uri: string, signal: AbortSignal): Promise<unknown> {
    return this.#request('resources/read', { uri }, `the resource ${uri}`, { signal, repeatable: true })
  }

  async listResources(signal: AbortSignal): Promise<{ resources: unknown[]; templates: unknown[] }> {
    const connection = await this.#link.ready(signal)
    const { request } = this.#timing
    try {
      const { items: resources } = await listAll(connection, 'resources', request)
      const templates = await listAll(connection, 'resources/templates', request).catch(() => ({ items: [] }))
      return { resources, templates: templates.items }
    } catch (error) {
      throw this.#failure('its resources', error, request)
    }
  }

  /** Whether this is news. */
  warn(text: string): boolean {
    const fresh = !this.#warnings.has(text)
    this.#warn(text)
    return fresh
  }

  status(): McpServerStatus {
    const { state, problem, authorizationUrl, connection, stderr } = this.#link
    return {
      name: this.name,
      type: this.config.type,
      target: targetOf(this.config),
      state,
      ...(problem !== undefined && { problem }),
      warnings: [...this.#warnings],
      ...(connection && connection.serverInfo !== '' && { serverInfo: connection.serverInfo }),
      tools: this.#tools.map(({ name, rawName, title }) => ({ name, rawName, title })),
      prompts: this.prompts.map(({ name }) => name),
      resources: this.hasResources,
      ...(this.#startMs !== undefined && { startMs: this.#startMs }),
      ...(authorizationUrl !== undefined && { authorizationUrl }),
      stderr: stderr.text(),
    }
  }

  async dispose(): Promise<void> {
    this.#stopped = true
    await this.#link.dispose()
  }

  /** Sent again only where that is harmless: the server says so, or can't have begun. */
  async #request(
    method: string,
    params: JsonObject,
    what: string,
    { signal, repeatable = false, report }: Limits,
    timeoutMs = this.#timing.request,
  ): Promise<unknown> {
    for (let again = false; ; again = true) {
      const connection = await this.#link.ready(signal)
      try {
        const result = await connection.request(method, params, {
          timeoutMs,
          signal,
          ...(report && { report }),
        })
        this.#link.proven()
        return result
      } catch (error) {
        if (signal.aborted) throw error
        if (isLost(error)) this.#link.drop(connection)
        if (again || !isLost(error) || !(repeatable || neverRan(error)))
          throw this.#failure(what, error, timeoutMs)
      }
    }
  }

  #failure(what: string, error: unknown, timeoutMs: number): Error {
    return requestFailure(this.name, what, error, { timeoutMs, how: this.#link.ending() })
  }

  async #takeStock(connection: Connection): Promise<void> {
    const { capabilities } = connection
    const silent = Object.keys(capabilities).length === 0
    const offers = (list: ListName): boolean => silent || capabilities[list] !== undefined
    this.hasResources = capabilities['resources'] !== undefined
    this.#stale.clear()
    await Promise.all([
      offers('tools') && this.#refreshTools(connection),
      offers('prompts') && this.#refreshPrompts(connection),
    ])
  }

  #changed(list: ListName): void {
    if (list === 'resources' || this.#stopped) return
    this.#stale.add(list)
    if (this.#refreshing || !this.#link.connection) return
    this.#refreshing = true
    void this.#refresh().finally(() => (this.#refreshing = false))
  }

  /** A storm of changes costs one refresh after the other; one that fails is tried again, and the old list stays. */
  async #refresh(): Promise<void> {
    for (let failures = 0; failures <= MAX_REFRESHES && !this.#stopped;) {
      await sleep(this.#timing.refresh * 2 ** failures, undefined, { ref: false })
      const { connection } = this.#link
      const lists = [...this.#stale]
      this.#stale.clear()
      if (!connection || lists.length === 0) return
      try {
        if (lists.includes('tools')) await this.#refreshTools(connection)
        if (lists.includes('prompts')) await this.#refreshPrompts(connection)
        failures = 0
      } catch (error) {
        for (const list of lists) this.#stale.add(list)
        failures += 1
        this.#warn(`its changed list could not be read, the old one stays: ${brief(error)}`)
      }
    }
  }

  async #refreshTools(connection: Connection): Promise<void> {
    const listed = await listAll(connection, 'tools', this.#timing.request).catch((error: unknown) => {
      if (isUnknownMethod(error)) return { items: [], cut: undefined }
      throw error
    })
    if (this.#stopped) return
    const { tools, problems } = judgeTools(this.name, listed.items)
    this.#tools = tools
    const refused = this.#events.tools(tools)
    const all = [...(listed.cut === undefined ? [] : [listed.cut]), ...problems, ...refused]
    const fresh = all.filter((problem) => !this.#warnings.has(problem))
    for (const problem of all) this.#warn(problem)
    if (fresh.length > 0) this.#events.problem(summary(this.name, fresh))
    this.#events.moved()
  }

  async #refreshPrompts(connection: Connection): Promise<void> {
    try {
      const { items } = await listAll(connection, 'prompts', this.#timing.request)
      this.prompts = readPrompts(items)
      this.#events.moved()
    } catch (error) {
      if (isLost(error)) throw error
      if (!isUnknownMethod(error)) this.#warn(`its prompts could not be listed: ${brief(error)}`)
    }
  }

  #warn(text: string): void {
    if (this.#warnings.size < MAX_WARNINGS) this.#warnings.add(text)
  }
}

const SHOWN = 3

function summary(server: string, problems: readonly string[]): string {
  const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : ''
  return `MCP server ${JSON.stringify(server)}: ${problems.slice(0, SHOWN).join('; ')}${more}`
}
