// The agent: opens, finds and closes sessions.
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ModelSource } from '#model/port.ts'
import type { Registry } from '#registry/registry.ts'
import type { ApprovalService, CodeMode } from '#registry/types.ts'
import type { SessionPage, SessionStore } from '#session/store.ts'
import type { SessionHeader } from '#session/event.ts'
import { type HistoryWatcher as StoredHistoryWatcher, SessionStoreError } from '#session/read.ts'
import { type LogFile, placeIn } from '#session/log.ts'
import { newSessionId } from '#session/session-id.ts'
import { createApprovals } from './approvals.ts'
import { AgentError } from './error.ts'
import { LiveSession } from './live-session.ts'
import { DEFAULT_LIMITS, type Equip, type Limits } from './options.ts'
import type {
  Agent,
  AgentSession,
  HistoryWatcher,
  Presenters,
  SessionOptions,
  StoredDrawing,
} from './port.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface AgentOptions {
  /** Makes the registry around the approvals that the agent answers. */
  createRegistry(approval: ApprovalService): Registry
  models: ModelSource
  store: SessionStore
  /** Reads what is configured for a directory; what it gives equips the sessions there. Must not reject. */
  prepare(cwd: string): Promise<Equip>
  /** How the calls of a stored session are drawn while its own tools are not there yet. Pure. */
  presenters(header: SessionHeader): (toolName: string) => Presenters | undefined
  /** The mode of new sessions. */
  modeId: string
  /** How tools are presented to the model of new sessions; absent where the registry has no transport. */
  codeMode?: CodeMode
  limits?: Partial<Limits>
  warn(message: string): void
}

export function createAgent(options: AgentOptions): Agent {
  return new Sessions(options)
}

class Sessions implements Agent {
  readonly #options: AgentOptions
  readonly #registry: Registry
  readonly #limits: Limits
  readonly #open = new Map<string, LiveSession>()
  readonly #ending = new AbortController()
  readonly #opening = new Map<string, Promise<AgentSession>>()

  constructor(options: AgentOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    const approvals = createApprovals((scope) =>
      this.#open.values().find((session) => session.scope === scope),
    )
    this.#registry = options.createRegistry(approvals)
  }

  get model(): string | undefined {
    return this.#options.models.selected
  }

  async create(options: SessionOptions): Promise<AgentSession> {
    const { cwd, mcpServers } = options
    const { roots } = placeOf(options)
    const createdAt = new Date().toISOString()
    return this.#start(
      this.#options.store.create({ type: 'session', version: 1, id: newSessionId(), cwd, roots, createdAt }),
      mcpServers,
    )
  }

  /** Opening a session twice gives the same one: two writers of one log would tear it. */
  async open(id: string, options: SessionOptions, watch?: HistoryWatcher): Promise<AgentSession> {
    await this.#opening.get(id)?.catch(() => undefined)
    const session = this.#open.get(id)
    if (session !== undefined) {
      if (await samePlace(session, placeOf(options))) return session
      if (session.busy)
        throw new AgentError('busy', 'a turn is running in this session: it can’t be moved now')
      await session.close()
    }
    const opening = this.#read(id, options, watch)
    this.#opening.set(id, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(id)
    }
  }

  get(id: string): AgentSession | undefined {
    return this.#open.get(id)
  }

  list(query: { cwd?: string; cursor?: string }): Promise<SessionPage> {
    return this.#options.store.list(query)
  }

  async remove(id: string): Promise<void> {
    await this.#open.get(id)?.close()
    await this.#options.store.remove(id).catch(asAgentError)
  }

  async dispose(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled(this.#opening.values())
    await Promise.allSettled([...this.#open.values()].map((session) => session.close()))
  }

  async #read(id: string, options: SessionOptions, watch?: HistoryWatcher): Promise<AgentSession> {
    const stored = await this.#options.store.open(id, watch && this.#watching(watch)).catch(asAgentError)
    for (const warning of stored.warnings) this.#options.warn(warning)
    const place = placeOf(options)
    const stays = await samePlace(placeIn(stored), place)
    return this.#start(stored, options.mcpServers, stays ? undefined : place)
  }

  #watching(watch: HistoryWatcher): StoredHistoryWatcher {
    let drawing: StoredDrawing | undefined
    return async (events, header) => {
      drawing ??= { header, presenters: this.#options.presenters(header) }
      // Whoever watches may wait for a client that is gone.
      await unlessAborted(watch(events, drawing), this.#ending.signal)
      if (this.#ending.signal.aborted) throw new AgentError('not_found', 'the agent has ended')
    }
  }

  async #start(file: LogFile, mcpServers: readonly unknown[] = [], place?: Place): Promise<LiveSession> {
    const { models, modeId, codeMode, store } = this.#options
    const { cwd } = place ?? placeIn(file)
    const equip = await this.#options.prepare(cwd)
    const session: LiveSession = new LiveSession({
      file,
      registry: this.#registry,
      models,
      equip: (input) => {
        const notice = (title: string, description?: string): void =>
          void session.record({
            type: 'notice',
            severity: 'warning',
            title,
            ...(description !== undefined && { description }),
          })
        return equip({ ...input, mcpServers, notice })
      },
      modeId,
      codeMode,
      limits: this.#limits,
      note: (summary) => store.note(summary),
      onClose: ({ id }) => this.#open.delete(id),
      ...(place !== undefined && { place }),
    })
    this.#open.set(session.id, session)
    return session
  }
}

function asAgentError(thrown: unknown): never {
  if (!(thrown instanceof SessionStoreError)) throw thrown
  const code = thrown.code === 'not_found' ? 'not_found' : thrown.code === 'locked' ? 'busy' : 'internal'
  throw new AgentError(code, thrown.message, { cause: thrown })
}

interface Place {
  cwd: string
  /** cwd first. */
  roots: string[]
}

function placeOf({ cwd, additionalDirectories }: SessionOptions): Place {
  return { cwd, roots: [...new Set([cwd, ...additionalDirectories].map((root) => resolve(root)))] }
}

/** By real path, so that a symlinked or slash-ended way to a project is that project. */
async function samePlace(a: { roots: readonly string[] }, b: Place): Promise<boolean> {
  const real = async (path: string): Promise<string> => realpath(path).catch(() => resolve(path))
  const [left, right] = await Promise.all([a.roots, b.roots].map((roots) => Promise.all(roots.map(real))))
  return isDeepStrictEqual(left, right)
}
