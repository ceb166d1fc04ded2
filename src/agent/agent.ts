// The agent: opens, finds and closes sessions.
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { ModelSource } from '#model/port.ts'
import type { Registry } from '#registry/registry.ts'
import type { ApprovalService } from '#registry/types.ts'
import type { SessionStore } from '#session/store.ts'
import { SessionStoreError } from '#session/store.ts'
import type { LogFile } from '#session/log.ts'
import { createApprovals } from './approvals.ts'
import { AgentError } from './error.ts'
import { LiveSession } from './live-session.ts'
import { DEFAULT_LIMITS, type Equip, type Limits } from './options.ts'
import type { Agent, AgentSession, SessionOptions } from './port.ts'

export interface AgentOptions {
  /** Makes the registry around the approvals that the agent answers. */
  createRegistry(approval: ApprovalService): Registry
  models: ModelSource
  store: SessionStore
  equip: Equip
  /** The mode of new sessions. */
  modeId: string
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

  async create({ cwd, additionalDirectories }: SessionOptions): Promise<AgentSession> {
    const roots = rootsOf(cwd, additionalDirectories)
    const createdAt = new Date().toISOString()
    return this.#start(
      this.#options.store.create({ type: 'session', version: 1, id: randomUUID(), cwd, roots, createdAt }),
    )
  }

  /** Opening a session twice gives the same one: two writers of one log would tear it. */
  async open(id: string, options: SessionOptions): Promise<AgentSession> {
    const session = this.#open.get(id) ?? (await this.#opening.get(id))
    if (session !== undefined) return session
    const opening = this.#read(id, options)
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

  async dispose(): Promise<void> {
    await Promise.allSettled(this.#opening.values())
    await Promise.allSettled([...this.#open.values()].map((session) => session.close()))
  }

  async #read(id: string, { cwd, additionalDirectories }: SessionOptions): Promise<AgentSession> {
    const stored = await this.#options.store.read(id).catch((thrown: unknown) => {
      if (thrown instanceof SessionStoreError) {
        throw new AgentError(thrown.code === 'not_found' ? 'not_found' : 'internal', thrown.message, {
          cause: thrown,
        })
      }
      throw thrown
    })
    for (const warning of stored.warnings) this.#options.warn(warning)
    return this.#start(stored, { cwd, roots: rootsOf(cwd, additionalDirectories) })
  }

  #start(file: LogFile, place?: { cwd: string; roots: string[] }): LiveSession {
    const { models, equip, modeId } = this.#options
    const session = new LiveSession({
      file,
      registry: this.#registry,
      models,
      equip,
      modeId,
      limits: this.#limits,
      onClose: ({ id }) => this.#open.delete(id),
      ...(place !== undefined && { place }),
    })
    this.#open.set(session.id, session)
    return session
  }
}

function rootsOf(cwd: string, additional: readonly string[]): string[] {
  return [...new Set([cwd, ...additional].map((root) => resolve(root)))]
}
