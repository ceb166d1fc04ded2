// What a live session is made of.
import type { ModelSource } from '#model/port.ts'
import type { Registry } from '#registry/registry.ts'
import type { CodeMode } from '#registry/types.ts'
import type { SessionSummary } from '#session/catalogue.ts'
import type { LogFile } from '#session/log.ts'
import type { Equipment, Limits, SessionInput } from './options.ts'

export interface LiveSessionInit {
  file: LogFile
  registry: Registry
  models: ModelSource
  equip(input: SessionInput): Equipment
  limits: Limits
  modeId: string
  codeMode: CodeMode | undefined
  /** Where a stored session is opened now; the model and the log are told when that is another place. */
  place?: { cwd: string; roots: readonly string[] }
  /** Renews what the list of sessions says. Never rejects. */
  note(summary: SessionSummary): Promise<void>
  /** Called once, when the session is closed. */
  onClose(session: { readonly id: string }): void
}
