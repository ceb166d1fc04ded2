// How the first-party tools draw a stored session. Presenters are pure: nothing is opened or run.
import type { Presenters } from '#agent/port.ts'
import type { SessionHeader } from '#session/event.ts'
import { createCodeMode } from '#tools/code/code-mode.ts'
import { firstPartyTools } from '#tools/index.ts'
import { createWorkspace } from '#workspace/workspace.ts'

export function storedPresenters(
  header: SessionHeader,
  env: NodeJS.ProcessEnv,
): (name: string) => Presenters | undefined {
  const workspace = createWorkspace({ cwd: header.cwd, roots: header.roots, environment: env })
  const known = [
    ...firstPartyTools(workspace, { askUser: nobody, askPlan: nobody }),
    createCodeMode().transport,
  ]
  const tools = new Map(known.map((tool) => [tool.name, tool]))
  return (name) => tools.get(name)
}

/** Nothing is run here, so nobody is asked. */
function nobody(): Promise<{ kind: 'cancelled' }> {
  return Promise.resolve({ kind: 'cancelled' })
}
