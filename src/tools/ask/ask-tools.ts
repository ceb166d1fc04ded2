// The tools that come and go with the person's client and mode: ask_user and exit_plan.
import type { ToolDefinition } from '#registry/definition.ts'
import type { AskForm } from '#registry/form.ts'
import type { Disposer, ToolHost } from '#registry/scope.ts'
import { askUserTool } from './ask-user.ts'
import { exitPlanTool, type AskPlan } from './exit-plan.ts'
import { askByForm } from './form.ts'

/** What is known of the person. Listeners are called with what is so now, and at each change. */
export interface Asking {
  askPlan: AskPlan
  onMode(listener: (modeId: string) => void): void
  /** Undefined while nobody shows forms. */
  onForm(listener: (show: AskForm | undefined) => void): void
}

/**
 * Registers `exit_plan` in plan mode, and `ask_user` while somebody shows forms, each only if `wanted`. Returns how their calls are drawn,
 * which holds while they are away too.
 */
export function installAskTools(
  host: Pick<ToolHost, 'register'>,
  asking: Asking,
  wanted: (toolName: string) => boolean = () => true,
): (toolName: string) => ToolDefinition | undefined {
  const exitPlan = exitPlanTool((request) => asking.askPlan(request))
  let form: AskForm | undefined
  const askUser = askUserTool((question, signal) =>
    form === undefined ? Promise.resolve({ kind: 'declined' }) : askByForm(form)(question, signal),
  )
  const planned = comesAndGoes(host, exitPlan)
  const asked = comesAndGoes(host, askUser)
  asking.onMode((modeId) => planned(modeId === 'plan' && wanted(exitPlan.name)))
  asking.onForm((show) => {
    form = show
    asked(show !== undefined && wanted(askUser.name))
  })
  return (toolName) => [exitPlan, askUser].find(({ name }) => name === toolName)
}

function comesAndGoes(host: Pick<ToolHost, 'register'>, tool: ToolDefinition): (here: boolean) => void {
  let dispose: Disposer | undefined
  return (here) => {
    if (here) dispose ??= host.register(tool)
    else {
      dispose?.()
      dispose = undefined
    }
  }
}
