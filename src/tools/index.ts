// The first-party tools, one row a tool.
import type { ToolDefinition } from '#registry/definition.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { bashTool } from './bash/bash.ts'
import { deleteTool } from './fs/delete.ts'
import { editTool } from './fs/edit.ts'
import { moveTool } from './fs/move.ts'
import { readTool } from './fs/read.ts'
import { writeTool } from './fs/write.ts'
import { globTool } from './search/glob.ts'
import { grepTool } from './search/grep.ts'
import { todoWriteTool } from './todo/todo-write.ts'

/** Register them in the scope of the session whose workspace it is. */
export function firstPartyTools(workspace: Workspace): ToolDefinition[] {
  return [
    readTool(workspace),
    writeTool(workspace),
    editTool(workspace),
    deleteTool(workspace),
    moveTool(workspace),
    globTool(workspace),
    grepTool(workspace),
    bashTool(workspace),
    todoWriteTool(),
  ]
}
