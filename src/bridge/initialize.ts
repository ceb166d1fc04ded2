// `initialize`: versions and capabilities. Needs no configuration, key, network or home directory.
import { PROTOCOL_VERSION, type InitializeRequest, type InitializeResponse } from '@agentclientprotocol/sdk'
import { AGENT_CAPABILITIES, authMethods } from './capabilities.ts'
import type { BridgeContext } from './context.ts'

/** Answers with our version whatever the client asks for. */
export function initialize(
  bridge: BridgeContext,
  { params }: { params: InitializeRequest },
): InitializeResponse {
  bridge.capabilities = params.clientCapabilities
  // Behind the answer, which is written before timers run.
  setTimeout(bridge.onInitialized, 1)
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'deckhand', title: 'Deckhand', version: bridge.version },
    agentCapabilities: AGENT_CAPABILITIES,
    authMethods: authMethods(params.clientCapabilities, bridge.auth.login),
    _meta: { steering: { supported: true } },
  }
}
