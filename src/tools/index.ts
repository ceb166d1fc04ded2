// The first-party tools, one row a tool.
import type { ToolDefinition } from '#registry/definition.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { type AskUser, askUserTool } from './ask/ask-user.ts'
import { type AskPlan, exitPlanTool } from './ask/exit-plan.ts'
import { bashTool } from './bash/bash.ts'
import { taskListTool } from './bash/task-list.ts'
import { taskOutputTool } from './bash/task-output.ts'
import { taskStopTool } from './bash/task-stop.ts'
import { deleteTool } from './fs/delete.ts'
import { editTool } from './fs/edit.ts'
import { moveTool } from './fs/move.ts'
import { readTool } from './fs/read.ts'
import { writeTool } from './fs/write.ts'
import { globTool } from './search/glob.ts'
import { grepTool } from './search/grep.ts'
import { todoWriteTool } from './todo/todo-write.ts'
import type { SearchEndpoint } from './web/search-endpoint.ts'
import { webFetchTool, type WebFetchOptions } from './web/web-fetch.ts'
import { webSearchTool } from './web/web-search.ts'

/** What some tools need; a tool whose part is absent is not there. */
export interface ToolOptions {
  /** Milliseconds: the limit of a `bash` call that names none. */
  bashTimeoutMs?: number
  /** `web_fetch`; `search` adds `web_search`. */
  web?: WebFetchOptions & { search?: SearchEndpoint }
  /** `ask_user`: somebody can be asked. */
  askUser?: AskUser
  /** `exit_plan`: register it in plan mode only. */
  askPlan?: AskPlan
}

/** Register them in the scope of the session whose workspace it is. */
export function firstPartyTools(
  workspace: Workspace,
  { bashTimeoutMs, web, askUser, askPlan }: ToolOptions = {},
): ToolDefinition[] {
  return [
    readTool(workspace),
    writeTool(workspace),
    editTool(workspace),
    deleteTool(workspace),
    moveTool(workspace),
    globTool(workspace),
    grepTool(workspace),
    bashTool(workspace, bashTimeoutMs === undefined ? {} : { timeoutMs: bashTimeoutMs }),
    taskOutputTool(workspace),
    taskListTool(workspace),
    taskStopTool(workspace),
    todoWriteTool(),
    ...(web ? [webFetchTool(web)] : []),
    ...(web?.search ? [webSearchTool(web.search, web.environment)] : []),
    ...(askUser ? [askUserTool(askUser)] : []),
    ...(askPlan ? [exitPlanTool(askPlan)] : []),
  ]
}
