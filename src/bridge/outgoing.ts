// A session's events on their way out: mapper, pacer, wire, in order.
import { methods, type AgentContext, type SessionUpdate } from '@agentclientprotocol/sdk'
import type { AgentSession } from '#agent/port.ts'
import type { Log } from '#registry/types.ts'
import type { AnyEvent } from '#session/event.ts'
import type { RootPair } from '#bridge/cards/card.ts'
import { Pacer } from './pacer.ts'
import { createAsker } from '#bridge/permission/ask.ts'
import type { ClientProfile } from './profile.ts'
import { createMapper, type Mapper } from './updates.ts'

export type Notice = Extract<AnyEvent, { type: 'notice' }>

export interface ConnectOptions {
  session: AgentSession
  client: AgentContext
  profile: ClientProfile
  roots: readonly RootPair[]
  log: Log
}

export class Outgoing {
  readonly #options: ConnectOptions
  readonly #pacer: Pacer
  readonly #mapper: Mapper
  readonly #unsubscribe: () => void
  readonly #notices: Notice[] = []
  #held: SessionUpdate[] | undefined = []

  /** Subscribes and becomes the session's asker; updates are held until `release`. */
  constructor(options: ConnectOptions) {
    const { session, profile, roots, log } = options
    this.#options = options
    this.#pacer = new Pacer((update) => this.#send(update))
    this.#mapper = createMapper({
      cwd: session.cwd,
      roots,
      profile,
      presenters: (name) => session.presenters(name),
      log,
    })
    this.#unsubscribe = session.subscribe((event) => {
      this.#push(event)
      if (event.type === 'turn_start') for (const notice of this.#notices.splice(0)) this.#push(notice)
    })
    session.setAsker(
      createAsker({
        sessionId: session.id,
        request: (params, init) =>
          options.client.request(methods.client.session.requestPermission, params, init),
        card: (callId) => this.#mapper.card(callId),
        flush: () => this.flush(),
        log,
      }),
    )
  }

  flush(): void {
    this.#pacer.flush()
  }

  /** Tells the person something at the next turn. */
  tell(notice: Notice): void {
    this.#notices.push(notice)
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

  #push(event: AnyEvent): void {
    for (const update of this.#mapper.push(event)) {
      if (this.#held) this.#held.push(update)
      else this.#pacer.push(update)
    }
  }

  #send(update: SessionUpdate): void {
    const { client, session, log } = this.#options
    client
      .notify(methods.client.session.update, { sessionId: session.id, update })
      .catch((error: unknown) => {
        log('debug', 'an update was not delivered', { error: String(error) })
      })
  }
}
