// The handler table: one row per method. Unknown requests are answered -32601 by the library.
import { agent, methods, RequestError, type AgentApp } from '@agentclientprotocol/sdk'
import { authenticate, logout } from './authenticate.ts'
import { cancel } from './cancel.ts'
import { closeSession } from './close-session.ts'
import type { BridgeContext } from './context.ts'
import { deleteSession } from './delete-session.ts'
import { initialize } from './initialize.ts'
import { listSessions } from './list-sessions.ts'
import { loadSession } from './load-session.ts'
import { newSession } from './new-session.ts'
import { parseLoadSession, parseNewSession, parsePrompt, parseSteering } from './params.ts'
import { prompt } from './prompt.ts'
import { resumeSession } from './resume-session.ts'
import { setConfigOption } from './set-config-option.ts'
import { setMode } from './set-mode.ts'
import { STEERING, steer } from './steer.ts'
import { wireError } from './wire-error.ts'

const { session } = methods.agent

/**
 * The library walks the rows one microtask at a time: `prompt` and `cancel` stand next to each other, last, so that
 * a cancel can't overtake the prompt it follows, nor the prompt that follows it.
 */
export function createHandlers(bridge: BridgeContext): AgentApp {
  const on = <P, T>(work: (bridge: BridgeContext, request: Incoming<P>) => T | Promise<T>) => {
    return (request: Incoming<P>): Promise<T> => answer(bridge, request.signal, () => work(bridge, request))
  }
  return agent({ name: 'deckhand' })
    .onRequest(methods.agent.initialize, on(initialize))
    .onRequest(methods.agent.authenticate, on(authenticate))
    .onRequest(methods.agent.logout, on(logout))
    .onRequest(session.new, parseNewSession, on(newSession))
    .onRequest(session.load, parseLoadSession, on(loadSession))
    .onRequest(session.resume, parseLoadSession, on(resumeSession))
    .onRequest(session.list, on(listSessions))
    .onRequest(session.close, on(closeSession))
    .onRequest(session.delete, on(deleteSession))
    .onRequest(session.setMode, on(setMode))
    .onRequest(session.setConfigOption, on(setConfigOption))
    .onRequest(STEERING, parseSteering, on(steer))
    .onRequest(session.prompt, parsePrompt, (request) => failing(bridge, () => prompt(bridge, request)))
    .onNotification(session.cancel, (request) => cancel(bridge, request.params))
}

type Incoming<P> = { params: P; signal: AbortSignal; client: Parameters<typeof newSession>[1]['client'] }

/** Answers as cancelled as soon as the client withdraws the request; what was begun ends by itself. */
function answer<T>(bridge: BridgeContext, signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
  return failing(bridge, async () => {
    if (signal.aborted) throw RequestError.requestCancelled()
    const withdrawn = Promise.withResolvers<never>()
    withdrawn.promise.catch(() => undefined)
    const onAbort = (): void => withdrawn.reject(RequestError.requestCancelled())
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([work(), withdrawn.promise])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  })
}

async function failing<T>(bridge: BridgeContext, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const wire = wireError(error)
    if (wire.code === -32603) bridge.log('error', wire.message, error)
    throw wire
  }
}
