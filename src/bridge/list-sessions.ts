// `session/list`: stored sessions, newest first, in pages.
import type { ListSessionsRequest, ListSessionsResponse, SessionInfo } from '@agentclientprotocol/sdk'
import type { SessionPage } from '#session/store.ts'
import type { BridgeContext } from './context.ts'
import { requireAbsolute } from './directory.ts'

export async function listSessions(
  bridge: BridgeContext,
  { params }: { params: ListSessionsRequest },
): Promise<ListSessionsResponse> {
  const { cwd, cursor } = params
  if (cwd != null) requireAbsolute(cwd)
  const page = await bridge.agent.list({ ...(cwd != null && { cwd }), ...(cursor != null && { cursor }) })
  const { nextCursor } = page
  return { sessions: page.sessions.map(infoOf), ...(nextCursor !== undefined && { nextCursor }) }
}

function infoOf({ id, cwd, roots, title, updatedAt }: SessionPage['sessions'][number]): SessionInfo {
  const more = roots.slice(1)
  return {
    sessionId: id,
    cwd,
    updatedAt,
    ...(title !== undefined && { title }),
    ...(more.length > 0 && { additionalDirectories: more }),
  }
}
