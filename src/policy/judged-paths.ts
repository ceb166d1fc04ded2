// Judged paths: a call may only touch the place that it was allowed for, wherever its links lead by then.
import { failure } from '#registry/failure.ts'
import type { Scope } from '#registry/scope.ts'
import type { ToolExecution, ToolExecutionToken } from '#registry/types.ts'
import { effectOf } from './effects.ts'
import type { Places } from './places.ts'

export interface JudgedPaths {
  /** Remembers where the paths of a call lead, before it is decided. */
  note(exec: ToolExecution): Promise<void>
}

/**
 * Refuses, just before the body, a call whose paths lead elsewhere than when it was judged: while a person was asked,
 * somebody has put a link there. `stillAllowed` decides a call anew that nobody was asked about.
 */
export function guardJudgedPaths(
  scope: Scope,
  places: Places,
  stillAllowed: (exec: Pick<ToolExecution, 'name' | 'arguments' | 'token'>) => Promise<boolean>,
): JudgedPaths {
  const judged = new WeakMap<ToolExecutionToken, readonly string[]>()
  const leadsTo = async ({ name, arguments: args }: Pick<ToolExecution, 'name' | 'arguments'>) => {
    const effect = effectOf(name, args)
    if (effect.kind !== 'read' && effect.kind !== 'write') return []
    return Promise.all(effect.paths.map(async (path) => (await places.judge(path)).path))
  }
  scope.on('tools/execute', async (exec, next) => {
    const before = judged.get(exec.token)
    if (before === undefined || before.length === 0) return next()
    const now = await leadsTo(exec)
    const moved = now.findIndex((path, index) => path !== before[index])
    if (moved === -1 && (await stillAllowed(exec))) return next()
    const place = moved === -1 ? 'a path' : `${before[moved]} (now ${now[moved]})`
    return failure({ message: `${place} is not what it was when this call was allowed; nothing was done` })
  })
  return {
    note: async (exec) => void judged.set(exec.token, await leadsTo(exec)),
  }
}
