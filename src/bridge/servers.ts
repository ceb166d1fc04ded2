// A session's forms in the client, for the agent and its MCP servers, whose prompts are commands.
import type { ConnectOptions } from './outgoing.ts'
import { formAsker } from './permission/form.ts'

/** `advertise` is called when there are other commands. Returns what takes it all back. */
export function connectServers(
  { session, client, profile }: Pick<ConnectOptions, 'session' | 'client' | 'profile'>,
  advertise: () => Promise<void>,
): () => void {
  const { servers } = session
  const form = profile.elicitationForm ? formAsker(session.id, client) : undefined
  session.setForm(form)
  if (!servers) return () => session.setForm(undefined)
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
    session.setForm(undefined)
    servers.setForm(undefined)
  }
}
