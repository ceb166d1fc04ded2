// A session's forms in the client, for the agent and its MCP servers, whose prompts are commands.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { SessionServers } from '#agent/port.ts'
import type { AskForm } from '#registry/form.ts'
import { availableCommands, commandsOf } from '#bridge/commands/index.ts'
import type { ConnectOptions } from './outgoing.ts'
import { formAsker } from './permission/form.ts'

export interface ServerLink {
  /** Connects the servers, once: they come with the session's tools, which the answer to its opening does not wait for. */
  connect(): void
  /** Tells the client which commands there are. Never rejects. */
  advertise(): Promise<void>
  /** Takes everything back. */
  disconnect(): void
}

/** Forms are there at once; commands are told again when there are other ones. */
export function linkServers(
  { session, client, profile, bridge }: ConnectOptions,
  send: (update: SessionUpdate) => void,
): ServerLink {
  const form = profile.elicitationForm ? formAsker(session.id, client) : undefined
  session.setForm(form)
  let disconnect: (() => void) | undefined
  let ended = false
  const connect = (): void => {
    if (!ended && session.servers) disconnect ??= connectServers(session.servers, form, advertise)
  }
  const advertise = async (): Promise<void> => {
    if (ended) return
    try {
      connect()
      const commands = await commandsOf(bridge, session)
      send({ sessionUpdate: 'available_commands_update', ...availableCommands(commands) })
    } catch (error) {
      bridge.log('error', 'the commands of a session could not be told', error)
    }
  }
  return {
    connect,
    advertise,
    disconnect: () => {
      ended = true
      disconnect?.()
      session.setForm(undefined)
    },
  }
}

function connectServers(
  servers: SessionServers,
  form: AskForm | undefined,
  advertise: () => Promise<void>,
): () => void {
  servers.setForm(form)
  const names = (): string =>
    servers
      .commands()
      .map(({ name }) => name)
      .join(' ')
  let known = names()
  const release = servers.onChange(() => {
    const now = names()
    if (now === known) return
    known = now
    void advertise()
  })
  return () => {
    release()
    servers.setForm(undefined)
  }
}
