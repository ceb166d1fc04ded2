// What went wrong with a server, in words for the model and for people.
import { thrownMessage } from '#json/thrown.ts'
import { ToolError } from '#registry/errors.ts'
import { cutUnits } from '#workspace/text.ts'
import { isLost, isTimeout, statusOf } from './connection.ts'

/** Characters of a server's own words. */
const LONGEST = 2000

/** `what`: the thing that was asked for, for the sentence. `how`: how the server ended, as far as it is known. */
export function requestFailure(
  server: string,
  what: string,
  error: unknown,
  { timeoutMs, how }: { timeoutMs: number; how: string | undefined },
): ToolError {
  const init = { cause: error }
  const name = `the MCP server ${JSON.stringify(server)}`
  if (isTimeout(error)) {
    const text = `${name} gave no answer to ${what} and no progress for ${timeoutMs / 1000} s: it was told to stop, and may have done some of it`
    return new ToolError('MCP_TIMEOUT', text, init)
  }
  if (isLost(error)) {
    const text = `${name} was lost during ${what} (${how ?? brief(error)}): it may have done some of it`
    return new ToolError('MCP_SERVER_LOST', text, init)
  }
  return new ToolError('MCP_ERROR', `${name} refused ${what}: ${brief(error)}`, init)
}

export function serverDown(server: string, why: string): ToolError {
  return new ToolError('MCP_SERVER_DOWN', `the MCP server ${JSON.stringify(server)} is not running: ${why}`)
}

export function brief(error: unknown): string {
  const vague = error instanceof TypeError && error.cause instanceof Error
  const cause = vague ? ` (${thrownMessage(error.cause)})` : ''
  const status = statusOf(error)
  const text = `${status === undefined ? '' : `HTTP ${status}: `}${thrownMessage(error)}${cause}`
  return text.length <= LONGEST ? text : `${cutUnits(text, LONGEST)}…`
}
