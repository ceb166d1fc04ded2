// Typed errors of the pipeline. Only these (and their subclasses) put `info` on a failure.
import type { JsonValue } from '#json/value.ts'

export interface ToolErrorInit {
  /** For presenters: what the card shows although the call failed. */
  meta?: JsonValue
  cause?: unknown
}

/** A failure with a code that the model and hosts can tell apart. `message` says what to do next. */
export class ToolError extends Error {
  override readonly name: string = 'ToolError'
  readonly code: string
  readonly meta: JsonValue | undefined

  constructor(code: string, message: string, init: ToolErrorInit = {}) {
    super(message, { cause: init.cause })
    this.code = code
    this.meta = init.meta
  }
}

/** `INVALID_ARGS`: the arguments violate the tool's parameters. */
export class ToolArgsError extends ToolError {
  override readonly name = 'ToolArgsError'
  readonly violations: readonly string[]

  constructor(violations: readonly string[]) {
    super('INVALID_ARGS', `invalid arguments: ${violations.join('; ')}`)
    this.violations = violations
  }
}

/** `INVALID_TOOL_OUTPUT`: the body's value, or what was rendered from it, is not what the tool declared. */
export class ToolOutputError extends ToolError {
  override readonly name = 'ToolOutputError'
  readonly violations: readonly string[]

  constructor(toolName: string, violations: readonly string[], cause?: unknown) {
    super(
      'INVALID_TOOL_OUTPUT',
      `tool ${JSON.stringify(toolName)} returned an invalid result: ${violations.join('; ')}`,
      {
        cause,
      },
    )
    this.violations = violations
  }
}

/** `UNKNOWN_TOOL`: no such tool is visible to the caller. */
export class ToolNotFoundError extends ToolError {
  override readonly name = 'ToolNotFoundError'

  constructor(toolName: string, hint?: string) {
    super('UNKNOWN_TOOL', `unknown tool ${JSON.stringify(toolName)}${hint ? `: ${hint}` : ''}`)
  }
}
