// The handler table: one row per method. Unknown requests are answered -32601 by the library.
import { agent, methods, type AgentApp } from '@agentclientprotocol/sdk'
import { authenticate } from './authenticate.ts'
import { cancel } from './cancel.ts'
import { closeSession } from './close-session.ts'
import type { BridgeContext } from './context.ts'
import { initialize } from './initialize.ts'
import { loadSession } from './load-session.ts'
import { newSession } from './new-session.ts'
import { parseLoadSession, parseNewSession, parsePrompt } from './params.ts'
import { prompt } from './prompt.ts'
import { setMode } from './set-mode.ts'
import { wireError } from './wire-error.ts'

const { session } = methods.agent

/**
 * The library walks the rows one microtask at a time: `prompt` and `cancel` stand next to each other, last, so that
 * a cancel can't overtake the prompt it follows, nor the prompt that follows it.
 */
export function createHandlers(bridge: BridgeContext): AgentApp {
  return agent({ name: 'deckhand' })
    .onRequest(methods.agent.initialize, (request) =>
      answer(bridge, () => initialize(bridge, request.params)),
    )
    .onRequest(methods.agent.authenticate, (request) =>
      answer(bridge, () => authenticate(bridge, request.params)),
    )
    .onRequest(session.new, parseNewSession, (request) => answer(bridge, () => newSession(bridge, request)))
    .onRequest(session.load, parseLoadSession, (request) =>
      answer(bridge, () => loadSession(bridge, request)),
    )
    .onRequest(session.close, (request) => answer(bridge, () => closeSession(bridge, request.params)))
    .onRequest(session.setMode, (request) => answer(bridge, () => setMode(bridge, request.params)))
    .onRequest(session.prompt, parsePrompt, (request) => answer(bridge, () => prompt(bridge, request)))
    .onNotification(session.cancel, (request) => cancel(bridge, request.params))
}

async function answer<T>(bridge: BridgeContext, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const wire = wireError(error)
    if (wire.code === -32603) bridge.log('error', wire.message, error)
    throw wire
  }
}
