// The timeout: an execute wrapper that enforces a definition's `timeoutMs`. On by default.
import { ToolError } from '#registry/errors.ts'
import { failureFrom } from '#registry/failure.ts'
import type { Registry } from '#registry/registry.ts'
import type { Disposer } from '#registry/scope.ts'
import { fuseSignals } from '#registry/signal.ts'

/** Milliseconds; Node fires a longer timer at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Installs it for all calls of the registry. */
export function installTimeout(registry: Registry): Disposer {
  return registry.on('tools/execute', async (exec, next) => {
    const limit = registry.get(exec.name, exec.scope)?.timeoutMs
    if (limit === undefined) return next()
    const caller = exec.signal
    const own = new AbortController()
    const stopped = new ToolError(
      'TOOL_TIMEOUT',
      `tool ${JSON.stringify(exec.name)} was stopped after its time limit of ${limit} ms`,
    )
    let first = false
    const fire = (): void => {
      first = !caller.aborted
      own.abort(stopped)
    }
    const timer = setTimeout(fire, Math.min(limit, LONGEST_TIMER))
    const fused = fuseSignals(caller, own.signal)
    exec.signal = fused.signal
    try {
      const result = await next()
      if (!first) return result
      const { meta, additionalContexts } = result
      return {
        ...failureFrom(stopped),
        ...(meta !== undefined && { meta }),
        ...(additionalContexts !== undefined && { additionalContexts }),
      }
    } finally {
      clearTimeout(timer)
      fused.release()
      exec.signal = caller
    }
  })
}
