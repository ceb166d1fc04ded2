// What a session is set to: title, mode, options, place; and the events that show nothing.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { assertNever } from '#registry/view.ts'
import type { AnyEvent } from '#session/event.ts'
import type { State } from './state.ts'

export type SettingEvent = Extract<
  AnyEvent,
  {
    type:
      | 'title'
      | 'mode'
      | 'model'
      | 'thought_level'
      | 'code_mode'
      | 'cwd'
      | 'step_start'
      | 'approval_decided'
      | 'observed'
      | 'snapshot'
      | 'pruned'
      | 'rewound'
  }
>

export function pushSetting(state: State, event: SettingEvent): SessionUpdate[] {
  switch (event.type) {
    case 'title':
      return [{ sessionUpdate: 'session_info_update', title: event.title }]
    case 'mode':
      return [{ sessionUpdate: 'current_mode_update', currentModeId: event.modeId }, ...options(state)]
    case 'model':
    case 'thought_level':
    case 'code_mode':
      return options(state)
    case 'cwd':
      state.cwd = event.cwd
      state.roots = event.roots.map((root) => [root, root] as const)
      return []
    case 'step_start':
    case 'approval_decided':
    case 'observed':
    case 'snapshot':
    case 'pruned':
    case 'rewound':
      return []
    default:
      return assertNever(event)
  }
}

function options(state: State): SessionUpdate[] {
  const configOptions = state.configOptions?.()
  return configOptions ? [{ sessionUpdate: 'config_option_update', configOptions }] : []
}
