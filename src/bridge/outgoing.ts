// A session's events on their way out: mapper, pacer, wire, in order.
import { randomUUID } from 'node:crypto'
import { methods, type AgentContext, type SessionUpdate } from '@agentclientprotocol/sdk'
import type { AgentSession } from '#agent/port.ts'
import type { AnyEvent, EventOf } from '#session/event.ts'
import type { RootPair } from '#bridge/cards/card.ts'
import { createAsker, type AskerOptions } from '#bridge/permission/ask.ts'
import { createPlanAsker } from '#bridge/permission/plan.ts'
import { createQueue } from '#bridge/permission/queue.ts'
import { chunks } from '#bridge/updates/chat.ts'
import { Backlog } from '#bridge/pacing/backlog.ts'
import { configOptions } from './config-options.ts'
import type { BridgeContext } from './context.ts'
import { Pacer } from './pacer.ts'
import type { ClientProfile } from './profile.ts'
import { createMapper, type Mapper } from './updates.ts'

export type Notice = EventOf<'notice'>

export interface ConnectOptions {
  session: AgentSession
  client: AgentContext
  profile: ClientProfile
  roots: readonly RootPair[]
  bridge: Pick<BridgeContext, 'log' | 'askReason' | 'coalesce' | 'promptFiles' | 'problems' | 'editor'>
}

/** Updates on their way into the pipe beyond which others wait here, and streams are joined, until the client reads on. */
const CONGESTED = 64

export class Outgoing {
  readonly #options: ConnectOptions
  readonly #pacer: Pacer
  readonly #mapper: Mapper
  readonly #unsubscribe: () => void
  readonly #notices: Notice[] = []
  #held: SessionUpdate[] | undefined = []
  readonly #backlog = new Backlog()
  #underway = 0

  /** Subscribes and becomes the one who asks the person; updates are held until `release`. */
  constructor(options: ConnectOptions) {
    const { session, profile, roots, bridge } = options
    this.#options = options
    this.#pacer = new Pacer((update) => this.#write(update), {
      coalesce: bridge.coalesce,
      congested: () => this.#underway >= CONGESTED,
    })
    this.#mapper = createMapper({
      cwd: session.cwd,
      roots,
      profile,
      presenters: (name) => session.presenters(name),
      configOptions: () => configOptions(session),
      log: bridge.log,
    })
    this.#unsubscribe = session.subscribe((event) => {
      if (event.type === 'command') this.#speak()
      this.#push(event)
      if (event.type === 'turn_start') for (const notice of this.#notices.splice(0)) this.#push(notice)
    })
    const asking = this.#asking()
    session.setAsker(createAsker(asking))
    session.setPlanAsker(createPlanAsker(asking))
  }

  /** Settles when everything that was said is on its way, in front of whatever is sent next. */
  flush(): Promise<void> {
    this.#pacer.flush()
    return this.#backlog.empty()
  }

  /** Tells the person something at the next turn. */
  tell(notice: Notice): void {
    this.#notices.push(notice)
  }

  /** Notices that wait, in front of what a command says. */
  #speak(): void {
    for (const { title, description } of this.#notices.splice(0)) {
      const text = `${title}${description === undefined ? '' : `: ${description}`}\n\n`
      for (const update of chunks('agent_message_chunk', text, `notice-${randomUUID()}`)) this.send(update)
    }
  }

  send(update: SessionUpdate): void {
    if (this.#held) this.#held.push(update)
    else this.#pacer.push(update)
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const update of held) this.#pacer.push(update)
  }

  detach(): void {
    this.#unsubscribe()
    this.#pacer.flush()
    this.#pacer.dispose()
  }

  #asking(): AskerOptions {
    const { session, client, profile, bridge } = this.#options
    const { requestPermission } = methods.client.session
    const { create } = methods.client.elicitation
    return {
      sessionId: session.id,
      request: (params, init) => client.request(requestPermission, params, init),
      ...(profile.elicitationForm &&
        bridge.askReason && { elicit: (params, init) => client.request(create, params, init) }),
      card: (callId) => this.#mapper.card(callId),
      flush: () => this.flush(),
      log: bridge.log,
      queue: createQueue(),
    }
  }

  #push(event: AnyEvent): void {
    for (const update of this.#mapper.push(event)) this.send(update)
  }

  #write(update: SessionUpdate): void {
    if (this.#underway >= CONGESTED) this.#backlog.add(update)
    else this.#notify(update)
  }

  #notify(update: SessionUpdate): void {
    const { client, session, bridge } = this.#options
    this.#underway++
    client
      .notify(methods.client.session.update, { sessionId: session.id, update })
      .catch((error: unknown) => {
        bridge.log('debug', 'an update was not delivered', { error: String(error) })
      })
      .finally(() => this.#written())
  }

  #written(): void {
    this.#underway--
    const next = this.#backlog.take()
    if (next) this.#notify(next)
    else if (this.#underway === CONGESTED - 1) this.#pacer.wake()
  }
}
