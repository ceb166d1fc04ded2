// What the agent announces: only what exists.
import type { AgentCapabilities, AuthMethod, ClientCapabilities } from '@agentclientprotocol/sdk'
import type { Login } from './auth.ts'

export const AGENT_CAPABILITIES: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
  auth: { logout: {} },
}

export const KEY_METHOD = 'api-key'
export const LOGIN_METHOD = 'login'
export const KEY_HINT =
  'Set DECKHAND_MODEL and its key (such as ANTHROPIC_API_KEY or DECKHAND_API_KEY), or DECKHAND_BASE_URL for an endpoint without a key.'

/** Never empty. Terminal methods go only to clients that announced them. */
export function authMethods(client: ClientCapabilities | undefined, login: Login | undefined): AuthMethod[] {
  const terminal = login && client?._meta?.['terminal-auth'] === true
  const key: AuthMethod = {
    id: KEY_METHOD,
    name: 'API key',
    description: KEY_HINT,
    ...(terminal && {
      _meta: {
        'terminal-auth': {
          label: 'Log in to Deckhand',
          command: login.command,
          args: [...login.args, 'login'],
          env: {},
        },
      },
    }),
  }
  if (!login || client?.auth?.terminal !== true) return [key]
  const ask = 'Asks for a key in a terminal and stores it.'
  return [key, { type: 'terminal', id: LOGIN_METHOD, name: 'Log in', description: ask, args: ['login'] }]
}
