// The extension points: waterfalls that shape a call, and emits that observe it.
import type { ContentBlock } from '#model/content.ts'
import type {
  CodeDispatchLog,
  PostToolDecision,
  PreToolDecision,
  ToolDispatchExecution,
  ToolExecution,
  ToolExecutionResult,
  ToolReport,
} from './types.ts'
import type { ToolCallView } from './view.ts'

type Awaitable<T> = T | Promise<T>
type Next<T> = () => Promise<T>

/**
 * Listener types by event. Waterfalls receive `next`: the first registered is the outermost, and not calling
 * `next` short-circuits. Emits only observe; the host's listeners of `tools/started` and `tools/report` are awaited.
 */
export interface Listeners {
  'tools/pre-execute': (exec: ToolExecution, next: Next<PreToolDecision>) => Awaitable<PreToolDecision>
  'tools/execute': (
    exec: ToolDispatchExecution,
    next: Next<ToolExecutionResult>,
  ) => Awaitable<ToolExecutionResult>
  'tools/post-execute': (
    exec: ToolExecution,
    result: ToolExecutionResult,
    next: Next<PostToolDecision>,
  ) => Awaitable<PostToolDecision>
  'tools/code-dispatch-log': (
    dispatch: CodeDispatchLog,
    next: Next<ContentBlock[]>,
  ) => Awaitable<ContentBlock[]>
  'tools/call': (exec: ToolExecution) => Awaitable<void>
  'tools/preview': (exec: ToolExecution, view: ToolCallView) => Awaitable<void>
  'tools/started': (exec: ToolExecution) => Awaitable<void>
  'tools/report': (exec: ToolExecution, report: ToolReport) => Awaitable<void>
  'tools/result': (exec: ToolExecution, result: ToolExecutionResult) => Awaitable<void>
  'tools/change': () => void
}

export type WaterfallEvent =
  | 'tools/pre-execute'
  | 'tools/execute'
  | 'tools/post-execute'
  | 'tools/code-dispatch-log'
export type EmitEvent = Exclude<keyof Listeners, WaterfallEvent>

/** Every event, by how it is called. */
export const EVENTS: { readonly [E in keyof Listeners]: E extends WaterfallEvent ? 'waterfall' : 'emit' } = {
  'tools/pre-execute': 'waterfall',
  'tools/execute': 'waterfall',
  'tools/post-execute': 'waterfall',
  'tools/code-dispatch-log': 'waterfall',
  'tools/call': 'emit',
  'tools/preview': 'emit',
  'tools/started': 'emit',
  'tools/report': 'emit',
  'tools/result': 'emit',
  'tools/change': 'emit',
}
