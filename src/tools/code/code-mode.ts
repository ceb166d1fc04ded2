// Code Mode as composition sees it: the transport of a registry, and what it needs of that registry.
import { TRANSPORT_NAME } from '#registry/core.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import type { Registry } from '#registry/registry.ts'
import type { Disposer } from '#registry/scope.ts'
import type { ScopeKey, ToolExecutionToken } from '#registry/types.ts'
import type { Dispatcher } from './dispatch.ts'
import { RUN_LIMITS, type RunLimits } from './limits.ts'
import { runCodeTool } from './run-code.ts'
import type { Sandbox } from './sandbox.ts'
import { codeModeGuide, sdkOf } from './sdk.ts'
import { createSandbox } from './worker-sandbox.ts'

export interface CodeMode {
  /** For `createRegistry({ transport })`; made when it is first looked at. */
  readonly transport: ToolDefinition
  /**
   * Gives the transport its registry. Call it right after `createRegistry`, before any policy is installed: its
   * listener has to be the outermost, to see what policy decides.
   */
  attach(registry: Registry): Disposer
  /**
   * What the system prompt says about Code Mode in this scope; empty where the model is not offered `run_code`. Where it
   * is, the sandbox warms up meanwhile.
   */
  guide(scope: ScopeKey): string
  /** Ends what runs, and the worker that is kept warm. */
  dispose(): Promise<void>
}

export interface CodeModeOptions {
  limits?: Partial<RunLimits>
  sandbox?: Sandbox
}

export function createCodeMode({ limits, sandbox = createSandbox() }: CodeModeOptions = {}): CodeMode {
  const runs = new Map<ToolExecutionToken, Dispatcher>()
  let attached: Registry | undefined
  let tool: ToolDefinition | undefined
  const makeTool = (): ToolDefinition =>
    runCodeTool({
      registry: () => {
        if (attached === undefined) throw new TypeError('run_code is not attached to its registry')
        return attached
      },
      sandbox,
      limits: { ...RUN_LIMITS, ...limits },
      runs,
    })
  return {
    get transport() {
      return (tool ??= makeTool())
    },
    attach(registry) {
      attached = registry
      return registry.on('tools/pre-execute', async (exec, next) => {
        const decision = await next()
        if (exec.parent !== undefined && decision?.kind === 'ask') runs.get(exec.parent)?.asks(exec.callId)
        return decision
      })
    },
    guide(scope) {
      if (attached?.get(TRANSPORT_NAME, scope) === undefined) return ''
      sandbox.warm()
      return codeModeGuide(sdkOf(attached, scope))
    },
    dispose: () => sandbox.dispose(),
  }
}
