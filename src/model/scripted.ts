// The scripted model: plays a scenario, without key and network.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from './error.ts'
import { parseArguments } from './parse-arguments.ts'
import type { Model, ModelEvent, ModelRequest } from './port.ts'
import type { Scenario, ScenarioAction, ScenarioStep } from './scenario.ts'
import { locate, quote, type Position } from './scripted-position.ts'

const OVER: ScenarioStep = { do: [{ text: 'The scenario is over: it has nothing more for this prompt.' }] }

/** `scripted/demo` is built in; any other name plays the file. Throws `ModelError('config')`. */
export async function loadScripted(id: string, file: string | undefined): Promise<Model> {
  if (id === 'demo') {
    const { demoScenario } = await import('./scripted-demo.ts')
    return createScripted(id, demoScenario)
  }
  if (file === undefined) {
    throw new ModelError(
      'config',
      `The model "scripted/${id}" needs DECKHAND_SCENARIO, the path of a scenario file.`,
    )
  }
  const { readScenario } = await import('./scenario-file.ts')
  return createScripted(id, await readScenario(file))
}

/** Keeps no state between requests: the messages say where in the scenario they are. */
export function createScripted(id: string, scenario: Scenario): Model {
  return {
    provider: 'scripted',
    id,
    contextWindow: scenario.contextWindow ?? 200_000,
    images: true,
    stream: (request) => play(scenario, request),
  }
}

interface Scene {
  request: ModelRequest
  position: Position
  chunkMs: number
}

async function* play(scenario: Scenario, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const position = locate(scenario, request.messages)
  const step = position.script ?? OVER
  const scene: Scene = { request, position, chunkMs: scenario.chunkMs ?? 0 }
  let calls = 0
  for (const action of step.do) {
    failIfAborted(request.signal)
    yield* perform(action, scene, 'call' in action ? ++calls : calls)
  }
  failIfAborted(request.signal)
  const reason = step.finish ?? (calls > 0 ? 'tool_calls' : 'stop')
  yield { type: 'finish', reason, ...(step.usage !== undefined && { usage: step.usage }) }
}

async function* perform(action: ScenarioAction, scene: Scene, nth: number): AsyncGenerator<ModelEvent> {
  const { signal, messages } = scene.request
  if ('text' in action) yield* say('text', quote(action.text, scene.position.prompt, messages), scene)
  else if ('thought' in action)
    yield* say('thought', quote(action.thought, scene.position.prompt, messages), scene)
  else if ('call' in action) yield* call(action.call, scene, nth)
  else if ('delayMs' in action) await pause(action.delayMs, signal)
  else if ('hang' in action) await hang(signal)
  else throw failure(action.error)
}

async function* say(type: 'text' | 'thought', text: string, scene: Scene): AsyncGenerator<ModelEvent> {
  for (const chunk of text.match(/\s*\S+\s*|\s+/g) ?? []) {
    await between(scene)
    yield { type, text: chunk }
  }
  yield { type: 'part_end', part: type }
}

type Call = Extract<ScenarioAction, { call: unknown }>['call']

async function* call(wanted: Call, scene: Scene, nth: number): AsyncGenerator<ModelEvent> {
  const { turn, step } = scene.position
  const callId = wanted.id ?? `call_${turn + 1}_${step + 1}_${nth}_${randomUUID().slice(0, 8)}`
  const text = 'raw' in wanted ? wanted.raw : JSON.stringify(wanted.arguments)
  yield { type: 'call_start', callId, name: wanted.name }
  for (const delta of text.match(/[\s\S]{1,24}/gu) ?? []) {
    await between(scene)
    yield { type: 'call_delta', callId, delta }
  }
  yield { type: 'call', callId, name: wanted.name, ...parseArguments(text) }
}

async function between({ chunkMs, request }: Scene): Promise<void> {
  if (chunkMs > 0) await pause(chunkMs, request.signal)
  failIfAborted(request.signal)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => failIfAborted(signal))
}

async function hang(signal: AbortSignal): Promise<never> {
  // The timer keeps the process alive while it waits, as an open connection would.
  for (;;) await pause(2 ** 30, signal)
}

function failIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ModelError('aborted', 'The request was cancelled.', { cause: signal.reason })
}

function failure({
  code,
  message,
  status,
}: Extract<ScenarioAction, { error: unknown }>['error']): ModelError {
  return new ModelError(code, message, { ...(status !== undefined && { status }) })
}
