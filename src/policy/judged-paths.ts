// Judged paths: a call may only touch the place that it was allowed for, wherever its links lead by then.
import { failure } from '#registry/failure.ts'
import type { Scope } from '#registry/scope.ts'
import type { ToolExecution, ToolExecutionToken } from '#registry/types.ts'
import { type Effect, effectOf, filePaths } from './effects.ts'
import type { Places } from './places.ts'

/** Real paths outside of the roots that a running call may change, because a person or a rule has allowed it. */
export type OutsidePaths = Map<string, number>

export interface JudgedPaths {
  /** Remembers where the paths of a call lead, before it is decided. */
  note(exec: ToolExecution, places: Places): Promise<void>
}

/** What a call is about, as far as policy looks at it. */
export type JudgedCall = Pick<ToolExecution, 'name' | 'arguments' | 'token'>

export interface JudgedPathsOptions {
  places: Places
  /** Decides anew, by the places as they are now, a call that nobody was asked about. */
  stillAllowed(call: JudgedCall, places: Places): Promise<boolean>
  /** Whether the call was allowed by somebody or something that may allow a place outside of the roots. */
  mayLeave(call: JudgedCall): boolean
  outside: OutsidePaths
}

interface Judged {
  /** Where the paths lead. */
  leads: readonly string[]
  /** The entries that the paths of a change name, the links on the way to them resolved. */
  entries: readonly string[]
}

/**
 * Refuses, just before the body, a call whose paths lead elsewhere than when it was judged: while a person was asked,
 * somebody has put a link there.
 */
export function guardJudgedPaths(scope: Scope, options: JudgedPathsOptions): JudgedPaths {
  const { outside } = options
  const judged = new WeakMap<ToolExecutionToken, Judged>()
  scope.on('tools/execute', async (exec, next) => {
    const before = judged.get(exec.token)
    if (before === undefined || before.leads.length === 0) return next()
    const places = options.places.now()
    const now = await leadsOf(effectOf(exec.name, exec.arguments), places)
    const moved = now.findIndex((path, index) => path !== before.leads[index])
    if (moved === -1 && (await options.stillAllowed(exec, places))) {
      return options.mayLeave(exec) ? within(outside, [...before.leads, ...before.entries], next) : next()
    }
    const place = moved === -1 ? 'a path' : `${before.leads[moved]} (now ${now[moved]})`
    return failure({ message: `${place} is not what it was when this call was allowed; nothing was done` })
  })
  return {
    note: async (exec, places) => {
      const effect = effectOf(exec.name, exec.arguments)
      const changed = effect.kind === 'write' ? effect.paths : []
      const [leads, entries] = await Promise.all([
        leadsOf(effect, places),
        Promise.all(changed.map((path) => places.entry(path))),
      ])
      judged.set(exec.token, { leads, entries })
    },
  }
}

async function leadsOf(effect: Effect, places: Places): Promise<string[]> {
  const found = await Promise.all(filePaths(effect).map((path) => places.judge(path)))
  return found.map(({ path }) => path)
}

/** Runs the call while its paths may be changed. */
async function within<T>(outside: OutsidePaths, paths: readonly string[], run: () => Promise<T>): Promise<T> {
  for (const path of paths) outside.set(path, (outside.get(path) ?? 0) + 1)
  try {
    return await run()
  } finally {
    for (const path of paths) {
      const left = (outside.get(path) ?? 1) - 1
      if (left === 0) outside.delete(path)
      else outside.set(path, left)
    }
  }
}
