// Calls of tools as spans: the outermost execute wrapper, so that it sees what the model is told.
import type { Registry } from '#registry/registry.ts'
import type { Disposer } from '#registry/scope.ts'
import { isWatched, type Span, traced } from '#telemetry/span.ts'

/** Installs it for all calls of the registry; a call that is denied runs nothing and has no span. */
export function installTracing(registry: Registry): Disposer {
  const running = new Map<symbol, Span>()
  return registry.on('tools/execute', (exec, next) => {
    if (!isWatched()) return next()
    const { name, callId, token, parent } = exec
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': callId,
    }
    // A nested call comes out of a sandbox, where nobody knows in which span it is.
    const outer = parent && running.get(parent)
    return traced(
      { name: `execute_tool ${name}`, kind: 'internal', attributes, parent: outer },
      async (span) => {
        running.set(token, span)
        try {
          const result = await next()
          if (result.isError) span.fail(result.error.info?.code ?? 'tool_error')
          return result
        } finally {
          running.delete(token)
        }
      },
    )
  })
}
