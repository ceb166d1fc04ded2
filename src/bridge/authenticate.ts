// `authenticate`: whether a provider is usable now; keys themselves come from environment and configuration.
import { RequestError, type AuthenticateRequest, type AuthenticateResponse } from '@agentclientprotocol/sdk'
import { authMethods, KEY_HINT } from './capabilities.ts'
import type { BridgeContext } from './context.ts'
import { invalidParams } from './wire-error.ts'

export function authenticate(bridge: BridgeContext, params: AuthenticateRequest): AuthenticateResponse {
  const known = authMethods(bridge.capabilities, bridge.login).some((method) => method.id === params.methodId)
  if (!known) throw invalidParams(`unknown authentication method ${JSON.stringify(params.methodId)}`)
  requireModel(bridge)
  return {}
}

/** Throws -32000 with the methods when no model can be used. */
export function requireModel(bridge: BridgeContext): void {
  if (bridge.agent.model !== undefined) return
  const methods = authMethods(bridge.capabilities, bridge.login)
  throw new RequestError(-32000, `Authentication required: no model is usable. ${KEY_HINT}`, {
    authMethods: methods,
  })
}
