// `session/load`: the stored conversation is drawn again, while its log is read; then the request is answered.
import { methods, RequestError, type LoadSessionResponse, type SessionUpdate } from '@agentclientprotocol/sdk'
import { AgentError } from '#agent/error.ts'
import { unlessAborted } from '#agent/unless-aborted.ts'
import type { AgentSession, HistoryWatcher, StoredDrawing } from '#agent/port.ts'
import type { LoggedEvent } from '#session/event.ts'
import { stateOf } from './config-options.ts'
import type { BridgeContext, Request } from './context.ts'
import { requireAbsolute, usableDirectories } from './directory.ts'
import { attach, rootPairs, welcome } from './new-session.ts'
import type { LoadSessionParams } from './params.ts'
import { clientProfile } from './profile.ts'
import { createMapper, type Mapper } from './updates.ts'

/** Updates that are written before the client's reading is waited for. */
const BATCH = 64

export async function loadSession(
  bridge: BridgeContext,
  request: Request<LoadSessionParams>,
): Promise<LoadSessionResponse> {
  const redrawing = new Redrawing(bridge, request)
  const session = await openStored(bridge, request, (events, stored) => redrawing.draw(events, stored))
  const connection = attach(bridge, request, session)
  try {
    await redrawing.finish(session)
  } catch (thrown) {
    bridge.sessions.delete(session.id)
    await connection.close()
    throw thrown
  }
  welcome(connection)
  return stateOf(session)
}

/** Opens a stored session. A deleted directory still replays, so `cwd` needs only be absolute. */
export async function openStored(
  bridge: BridgeContext,
  { params, signal }: Request<LoadSessionParams>,
  watch?: HistoryWatcher,
): Promise<AgentSession> {
  requireAbsolute(params.cwd)
  const additionalDirectories = await usableDirectories(params.additionalDirectories, bridge.log)
  if (bridge.agent.get(params.sessionId)?.busy)
    throw new AgentError('busy', 'a turn is running in this session')
  const { cwd, mcpServers } = params
  const session = await bridge.agent.open(params.sessionId, { cwd, additionalDirectories, mcpServers }, watch)
  if (signal.aborted) {
    if (!bridge.sessions.has(session.id)) await session.close()
    throw RequestError.requestCancelled()
  }
  return session
}

/** One conversation on its way to the client again, no faster than that reads it. */
class Redrawing {
  readonly #bridge: BridgeContext
  readonly #request: Request<LoadSessionParams>
  readonly #underway: Promise<void>[] = []
  #mapper: Mapper | undefined
  #drawn = 0

  constructor(bridge: BridgeContext, request: Request<LoadSessionParams>) {
    this.#bridge = bridge
    this.#request = request
  }

  /** Events of the log while it is read. Rejects when the request is cancelled. */
  draw(events: readonly LoggedEvent[], { header, presenters }: StoredDrawing): Promise<void> {
    return this.#push(events, (this.#mapper ??= this.#mapperFor(header, presenters)))
  }

  /** What the log did not hold yet when it was read; all of it where the session was open. */
  async finish(session: AgentSession): Promise<void> {
    const rest = session.history().slice(this.#drawn)
    const presenters: StoredDrawing['presenters'] = (name) => session.presenters(name)
    await this.#push(rest, this.#mapper ?? this.#mapperFor(session, presenters))
    await this.#read()
  }

  async #push(events: readonly LoggedEvent[], mapper: Mapper): Promise<void> {
    for (const event of events) {
      for (const update of mapper.push(event)) this.#send(update)
      if (this.#underway.length >= BATCH) await this.#read()
    }
    this.#drawn += events.length
  }

  #mapperFor(place: Pick<AgentSession, 'cwd' | 'roots'>, presenters: StoredDrawing['presenters']): Mapper {
    const { log, capabilities } = this.#bridge
    const { cwd } = place
    const roots = rootPairs(place, this.#request.params)
    return createMapper({ cwd, roots, presenters, profile: clientProfile(capabilities), log, replay: true })
  }

  #send(update: SessionUpdate): void {
    const { client, params } = this.#request
    const { sessionId } = params
    this.#underway.push(client.notify(methods.client.session.update, { sessionId, update }))
  }

  async #read(): Promise<void> {
    const { signal } = this.#request
    // A client that is gone may never have read what is on its way.
    await unlessAborted(Promise.all(this.#underway.splice(0)), signal)
    if (signal.aborted) throw RequestError.requestCancelled()
  }
}
