// `session/set_config_option`: the change itself is an event of the session, which updates both representations.
import type { SetSessionConfigOptionRequest, SetSessionConfigOptionResponse } from '@agentclientprotocol/sdk'
import { configOptions } from './config-options.ts'
import { openSession, type BridgeContext } from './context.ts'
import { invalidParams } from './wire-error.ts'

export function setConfigOption(
  bridge: BridgeContext,
  { params }: { params: SetSessionConfigOptionRequest },
): SetSessionConfigOptionResponse {
  const { session } = openSession(bridge, params.sessionId)
  const { configId, value } = params
  if (typeof value !== 'string')
    throw invalidParams(`option ${JSON.stringify(configId)} takes the id of a value`)
  session.setOption(configId, value)
  return { configOptions: configOptions(session) }
}
