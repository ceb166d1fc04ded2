// Nested dispatch: each call of a program goes through the whole pipeline, scheduled, shown and logged like any other.
import { randomUUID } from 'node:crypto'
import { faultMessage, materialize } from '#json/materialize.ts'
import { thrownMessage } from '#json/thrown.ts'
import type { JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import type { Registry } from '#registry/registry.ts'
import { createScheduler, type Scheduler } from '#registry/scheduler.ts'
import type {
  ToolExecutionInput,
  ToolExecutionResult,
  ToolExecutionSuccess,
  ToolRunContext,
} from '#registry/types.ts'
import type { CallAnswer } from './sandbox.ts'

/** Calls of one run that get a card whatever they do; after them, only those that ask or may change something. */
export const CARDS = 50

export interface DispatcherOptions {
  registry: Registry
  /** The run: nested calls carry its token as their parent, and what they leave for the model is handed to it. */
  exec: ToolRunContext
  /** Aborts every nested call. */
  signal: AbortSignal
  /** Taken while a nested call is being prepared. */
  hold(): () => void
}

/** The nested calls of one run. */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #scheduler: Scheduler
  readonly #open = new Set<Promise<unknown>>()
  /** Calls that were prepared, by id; true for those with a card. */
  readonly #carded = new Map<string, boolean>()
  readonly #inputs = new Map<string, ToolExecutionInput>()
  #submitted = 0
  #withoutCard = 0

  constructor(options: DispatcherOptions) {
    this.#options = options
    const { registry } = options
    this.#scheduler = createScheduler(
      {
        ...registry,
        prepare: (input) => {
          this.#begin(input)
          const release = options.hold()
          const prepared = registry.prepare(input)
          prepared.then(release, release)
          return prepared
        },
      },
      { commit: (input, result) => this.#commit(input, result) },
    )
  }

  /** Calls that were run without a card of their own. */
  get withoutCard(): number {
    return this.#withoutCard
  }

  /** Never rejects. */
  async call(name: string, args: JsonValue): Promise<CallAnswer> {
    const copy = materialize(args)
    if (!copy.ok) {
      return { ok: false, message: `invalid arguments: ${faultMessage(copy.fault, copy.path, 'arguments')}` }
    }
    const { exec, signal } = this.#options
    this.#submitted += 1
    const callId = `${exec.callId}:code:${this.#submitted}`
    const running = this.#scheduler.submit({
      callId,
      rootCallId: exec.rootCallId,
      name,
      arguments: copy.value,
      ...(exec.scope !== undefined && { scope: exec.scope }),
      parent: exec.token,
      signal,
    })
    this.#open.add(running)
    try {
      const result = await running
      return result.isError ? { ok: false, message: result.error.message } : { ok: true, value: result.value }
    } catch (thrown) {
      return { ok: false, message: thrownMessage(thrown) }
    } finally {
      this.#open.delete(running)
    }
  }

  /** A nested call is about to ask the person: it gets its card first. */
  asks(callId: string): void {
    const input = this.#inputs.get(callId)
    if (input !== undefined && this.#carded.get(callId) === false) this.#announce(input)
  }

  /** Settles when everything that was submitted is committed; `signal` has been aborted by the caller. */
  async drained(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open)
  }

  /** A call that is prepared under an aborted signal will not run: it leaves no trace. */
  #begin(input: ToolExecutionInput): void {
    if (input.signal.aborted) return
    this.#inputs.set(input.callId, input)
    this.#carded.set(input.callId, false)
    const { registry } = this.#options
    const cards = [...this.#carded.values()].filter((carded) => carded).length
    if (cards < CARDS || registry.executionMode(input) !== 'parallel') this.#announce(input)
  }

  #announce({ callId, name, arguments: args }: ToolExecutionInput): void {
    this.#carded.set(callId, true)
    void this.#options.exec.report({ kind: 'nested_call', callId, name, arguments: args as JsonValue })
  }

  async #commit(input: ToolExecutionInput, result: ToolExecutionResult): Promise<void> {
    const { exec } = this.#options
    const carded = this.#carded.get(input.callId)
    this.#inputs.delete(input.callId)
    if (carded === true) await this.#store(input, result)
    else if (carded === false) {
      this.#withoutCard += 1
      void exec.report({ kind: 'progress', message: `${this.#withoutCard} more calls` })
    }
    for (const message of result.additionalContexts ?? []) exec.deferContext(message)
    if (result.isError) return
    forwardImages(exec, input.name, result.content)
    if (result.concludesTurn === true) exec.concludeTurn()
  }

  /** The copy for the log: its content as listeners shape it, with the projection that draws its card. */
  async #store(input: ToolExecutionInput, result: ToolExecutionResult): Promise<void> {
    const { registry, exec } = this.#options
    const { callId, name, scope } = input
    const { isError } = result
    const content = await registry.storedContent({
      exec,
      ...(scope !== undefined && { scope }),
      subCallId: callId,
      name,
      isError,
      content: result.content,
    })
    const meta = isError ? undefined : projection(registry, input, result)
    await exec.report({
      kind: 'nested_result',
      callId,
      isError,
      content,
      ...(meta !== undefined && { meta }),
      ...(isError && { error: result.error }),
    })
  }
}

/** What the pipeline gives to calls of the model and not to nested ones: the tool's data for its card. */
function projection(
  registry: Registry,
  { name, scope, arguments: args }: ToolExecutionInput,
  { value }: ToolExecutionSuccess,
): JsonValue | undefined {
  try {
    const meta = registry.get(name, scope)?.output.presentationMeta?.(args as JsonValue, value)
    const copy = meta === undefined ? undefined : materialize(meta)
    return copy?.ok ? copy.value : undefined
  } catch {
    // A card without its data is the generic one.
    return undefined
  }
}

function forwardImages(exec: ToolRunContext, name: string, content: readonly ContentBlock[]): void {
  const images = content.filter((block) => block.type === 'image')
  if (images.length === 0) return
  exec.deferContext({
    id: randomUUID(),
    content: [{ type: 'text', text: `Images from tools.${name} inside run_code:` }, ...images],
    source: { kind: 'tool', name },
  })
}
