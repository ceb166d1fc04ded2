// `authenticate` and `logout`: whether a provider is usable now; keys come from environment, configuration or a login.
import {
  RequestError,
  type AuthenticateRequest,
  type AuthenticateResponse,
  type LogoutResponse,
} from '@agentclientprotocol/sdk'
import { authMethods } from './capabilities.ts'
import type { BridgeContext } from './context.ts'
import { invalidParams } from './wire-error.ts'

export function authenticate(
  bridge: BridgeContext,
  { params }: { params: AuthenticateRequest },
): AuthenticateResponse {
  const known = authMethods(bridge.capabilities, bridge.auth.login).some(
    (method) => method.id === params.methodId,
  )
  if (!known) throw invalidParams(`unknown authentication method ${JSON.stringify(params.methodId)}`)
  requireModel(bridge)
  return {}
}

/** Succeeds also where no key is stored: nothing is left to forget. */
export async function logout(bridge: BridgeContext): Promise<LogoutResponse> {
  await bridge.auth.logout?.()
  return {}
}

/** Throws -32000 with the methods when no model can be used. */
export function requireModel(bridge: BridgeContext): void {
  const problem = bridge.auth.problem()
  if (problem === undefined) return
  throw new RequestError(-32000, `Authentication required: ${problem}`, {
    authMethods: authMethods(bridge.capabilities, bridge.auth.login),
  })
}
