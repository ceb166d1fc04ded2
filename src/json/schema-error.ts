// JsonSchemaError: a schema that leaves the enforced subset, with every reason.

export class JsonSchemaError extends Error {
  override readonly name = 'JsonSchemaError'
  readonly code = 'UNSUPPORTED_SCHEMA'
  /** One sentence a violation, each beginning with its path. */
  readonly violations: readonly string[]

  constructor(violations: readonly string[]) {
    super(`unsupported schema: ${violations.join('; ')}`)
    this.violations = violations
  }
}
