// run_code: the tool through which the model writes a program that calls tools.
import { isJsonObject, type JsonValue } from '#json/value.ts'
import { TRANSPORT_NAME } from '#registry/core.ts'
import { defineTool } from '#registry/define-tool.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import type { Registry } from '#registry/registry.ts'
import type { ToolExecutionToken, ToolRunContext } from '#registry/types.ts'
import { Dispatcher } from './dispatch.ts'
import type { RunLimits } from './limits.ts'
import type { RunOutcome } from './outcome.ts'
import { callView, renderRun, resultView, type RunCard } from './present.ts'
import { runError } from './run-failure.ts'
import type { Sandbox } from './sandbox.ts'
import { startWallClock } from './wall-clock.ts'

export interface RunCodeOptions {
  /** The registry that this tool is the transport of. */
  registry(): Registry
  sandbox: Sandbox
  limits: RunLimits
  /** The runs that go on, by the token that their nested calls carry. */
  runs: Map<ToolExecutionToken, Dispatcher>
}

const DESCRIPTION =
  'Runs a TypeScript program that calls tools, and returns only what it prints (console.log) and returns. ' +
  'The program is the body of an async function: use top-level await and return. Call tools as await tools.name(args); ' +
  'their types are in the system prompt. Independent calls belong into Promise.all. A failed call rejects with ' +
  'ToolCallError { toolName, message }. There are no modules, files, network or timers but those of the tools.'

export function runCodeTool(options: RunCodeOptions): ToolDefinition {
  return defineTool({
    name: TRANSPORT_NAME,
    description: DESCRIPTION,
    parameters: {
      code: { type: 'string', description: 'The program, in TypeScript.', required: true },
      description: {
        type: 'string',
        description: 'What it does, in a few words, for the person.',
        required: true,
      },
    },
    output: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          logs: { type: 'array', items: { type: 'string' }, required: true },
          result: { type: 'json' },
          withoutCard: { type: 'integer' },
        },
      },
      render: (_args, value) => renderRun(value),
      presentationMeta: (_args, value) => value,
    },
    execute: async ({ code }, exec) => runProgram(options, code, exec),
    presentCall: ({ code, description }) => callView(code, description),
    presentResult: ({ code }, { meta }) => {
      const card = cardOf(meta)
      return card && resultView(code, card)
    },
  })
}

/** Settles when the program is over and nothing that it started is running any more. */
async function runProgram(options: RunCodeOptions, code: string, exec: ToolRunContext): Promise<RunCard> {
  const { sandbox, limits, runs } = options
  const registry = options.registry()
  const { controller, release } = followed(exec.signal)
  let expired = false
  const clock = startWallClock(limits.wallMs, () => {
    expired = true
    controller.abort()
  })
  const dispatcher = new Dispatcher({ registry, exec, signal: controller.signal, hold: () => clock.hold() })
  runs.set(exec.token, dispatcher)
  let outcome: RunOutcome
  try {
    outcome = await sandbox.run({
      code,
      toolNames: registry.schemas(exec.scope).map(({ name }) => name),
      limits,
      signal: controller.signal,
      call: (name, args) => dispatcher.call(name, args),
    })
  } finally {
    clock.stop()
    controller.abort()
    await dispatcher.drained()
    runs.delete(exec.token)
    release()
  }
  const { withoutCard } = dispatcher
  const card: RunCard = { logs: outcome.logs, ...(withoutCard > 0 && { withoutCard }) }
  if (!outcome.ok) {
    throw runError(code, expired && !exec.signal.aborted ? overdue(limits) : outcome.failure, card)
  }
  return { ...card, ...(outcome.result !== undefined && { result: outcome.result }) }
}

/** A controller that also aborts with the signal. */
function followed(signal: AbortSignal): { controller: AbortController; release: () => void } {
  const controller = new AbortController()
  const follow = (): void => controller.abort()
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return { controller, release: () => signal.removeEventListener('abort', follow) }
}

function overdue({ wallMs }: RunLimits): { kind: 'timeout'; message: string } {
  return { kind: 'timeout', message: `the run took longer than ${wallMs.toLocaleString('en-US')} ms` }
}

/** Stored data of a run; undefined for anything else. */
function cardOf(meta: JsonValue | undefined): RunCard | undefined {
  if (!isJsonObject(meta) || !Array.isArray(meta['logs'])) return undefined
  const { result, withoutCard, failure } = meta
  return {
    logs: meta['logs'].map(String),
    ...(result !== undefined && { result }),
    ...(typeof withoutCard === 'number' && { withoutCard }),
    ...(typeof failure === 'string' && { failure }),
  }
}
