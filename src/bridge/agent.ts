// The handler table: one row per method. Unknown requests are answered -32601 by the library.
import { agent, methods, RequestError, type AgentApp, type AgentContext } from '@agentclientprotocol/sdk'
import { authenticate, logout } from './authenticate.ts'
import type { BridgeContext } from './context.ts'
import { initialize } from './initialize.ts'
import { type SessionMethods, withSessionMethods } from './lazy-methods.ts'
import {
  parseCancel,
  parseInitialize,
  parseLoadSession,
  parseNewSession,
  parsePrompt,
  parseSteering,
} from './params.ts'
import { wireError } from './wire-error.ts'

const { session } = methods.agent
const STEERING = '_session/steering'

type Work<P, T> = (bridge: BridgeContext, request: Incoming<P>) => T | Promise<T>
type Incoming<P> = { params: P; signal: AbortSignal; client: AgentContext }
type MethodName = Exclude<keyof SessionMethods, 'cancel' | 'prompt'>
type ParamsOf<Name extends MethodName> = Parameters<SessionMethods[Name]>[1]['params']
type ResultOf<Name extends MethodName> = Awaited<ReturnType<SessionMethods[Name]>>

/**
 * The library walks the rows one microtask at a time: `prompt` and `cancel` stand next to each other, last, so that
 * a cancel can't overtake the prompt it follows, nor the prompt that follows it.
 */
export function createHandlers(bridge: BridgeContext): AgentApp {
  const on = <P, T>(work: Work<P, T>) => {
    return (request: Incoming<P>): Promise<T> => answer(bridge, request.signal, () => work(bridge, request))
  }
  const later = <Name extends MethodName>(name: Name) =>
    on<ParamsOf<Name>, ResultOf<Name>>((context, request) =>
      withSessionMethods((all) => (all[name] as Work<ParamsOf<Name>, ResultOf<Name>>)(context, request)),
    )
  return agent({ name: 'deckhand' })
    .onRequest(methods.agent.initialize, parseInitialize, on(initialize))
    .onRequest(methods.agent.authenticate, on(authenticate))
    .onRequest(methods.agent.logout, on(logout))
    .onRequest(session.new, parseNewSession, later('newSession'))
    .onRequest(session.load, parseLoadSession, later('loadSession'))
    .onRequest(session.resume, parseLoadSession, later('resumeSession'))
    .onRequest(session.list, later('listSessions'))
    .onRequest(session.close, later('closeSession'))
    .onRequest(session.delete, later('deleteSession'))
    .onRequest(session.setMode, later('setMode'))
    .onRequest(session.setConfigOption, later('setConfigOption'))
    .onRequest(STEERING, parseSteering, later('steer'))
    .onRequest(session.prompt, parsePrompt, (request) =>
      failing(bridge, () => withSessionMethods(({ prompt }) => prompt(bridge, request))),
    )
    .onNotification(session.cancel, parseCancel, ({ params }) =>
      withSessionMethods(({ cancel }) => cancel(bridge, params)),
    )
}

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
