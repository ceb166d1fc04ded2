// What the tests of the registry share: a raw tool, an input, and counters of the stages that an outcome reaches.
import type {
  ContentBlock,
  ToolDefinition,
  ToolExecutionInput,
  ToolExecutionResult,
  UserMessage,
} from '#index.ts'
import type { ToolHost } from '#registry/scope.ts'

export const text = (words: string): ContentBlock => ({ type: 'text', text: words })

export const message = (id: string): UserMessage => ({
  id,
  content: [text(id)],
  source: { kind: 'tool', name: 'probe' },
})

/** A raw tool that answers `done`; its meta is the length of the value. */
export function probe(over: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'probe',
    description: 'Answers.',
    parameters: { type: 'object' },
    output: {
      schema: { type: 'string' },
      render: (_args, value) => [text(String(value))],
      presentationMeta: (_args, value) => ({ length: String(value).length }),
    },
    execute: () => 'done',
    ...over,
  }
}

export function input(over: Partial<ToolExecutionInput> = {}): ToolExecutionInput {
  return { callId: 'c1', name: 'probe', arguments: {}, signal: new AbortController().signal, ...over }
}

/** Counts how often each later stage saw an outcome. */
export function countStages(host: ToolHost) {
  const seen = { post: 0, result: 0, results: [] as ToolExecutionResult[] }
  host.on('tools/post-execute', (_exec, _result, next) => {
    seen.post += 1
    return next()
  })
  host.on('tools/result', (_exec, result) => {
    seen.result += 1
    seen.results.push(result)
  })
  return seen
}

export function codeOf(result: ToolExecutionResult): string | undefined {
  return result.isError ? result.error.info?.code : undefined
}

export function messageOf(result: ToolExecutionResult): string | undefined {
  return result.isError ? result.error.message : undefined
}

export function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}

/** Something to wait for, and the means to let it go. */
export function gate<T = void>() {
  return Promise.withResolvers<T>()
}

/** The transport of Code Mode, doing nothing. */
export function transport(): ToolDefinition {
  return probe({ name: 'run_code', description: 'Runs a program.', execute: () => 'ran' })
}

export const abortedSignal = (): AbortSignal => AbortSignal.abort()
