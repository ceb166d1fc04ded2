// A change of a file: what it is, doing it, and how it is reported, for all tools that change text.
import type { InferValue } from '#json/spec.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import { ToolError } from '#registry/errors.ts'
import type { PresentedResult } from '#registry/definition.ts'
import type { ToolRunContext } from '#registry/types.ts'
import type { DiffResultView, FileDiff, FileLocation, ToolCallView } from '#registry/view.ts'
import { historyText } from '#workspace/history-files.ts'
import { versionOf } from '#workspace/observations.ts'
import { decodeText, type DecodedText } from '#workspace/encoding.ts'
import { UnencodableTextError } from '#workspace/text-encoding.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { fsError } from './failure.ts'
import { type Hunks, hunksOf } from './hunks.ts'

export interface PlannedChange {
  /** As the call named it. */
  path: string
  realPath: string
  /** null: the file is created. */
  before: DecodedText | null
  after: DecodedText
  /** Places that were replaced, where that is what the change does. */
  replacements?: number
}

export const CHANGE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    path: { type: 'string', required: true, description: 'absolute' },
    operation: { type: 'string', enum: ['create', 'update', 'unchanged'], required: true },
    before: { oneOf: [{ type: 'string' }, { type: 'null' }], description: 'absent beyond 1 MiB' },
    after: { type: 'string', description: 'absent beyond 1 MiB' },
    omitted: { type: 'boolean', description: 'before and after are absent' },
    formatted: { type: 'boolean', description: 'the editor changed what was written' },
    replacements: { type: 'integer' },
    diff: {
      type: 'object',
      additionalProperties: false,
      properties: {
        oldText: { oneOf: [{ type: 'string' }, { type: 'null' }], required: true },
        newText: { type: 'string', required: true },
        lines: { type: 'array', items: { type: 'integer' }, required: true },
      },
    },
  },
} as const
export type ChangeValue = InferValue<typeof CHANGE_SCHEMA>

/** Characters of before and after that a value carries. */
const MAX_TEXT = 1024 * 1024

/** Writes what is planned and notes that the session knows the result. Reports the snapshot of every change before it is made. */
export async function commitChange(
  workspace: Workspace,
  exec: ToolRunContext,
  change: PlannedChange,
): Promise<ChangeValue> {
  if (exec.signal.aborted) throw new ToolError('ABORTED', `cancelled; ${change.path} was not changed`)
  const { path, realPath, before, after } = change
  const value = describe(workspace, change)
  if (value.operation === 'unchanged') return value
  const bytes = encoded(path, after)
  await reportSnapshot(exec, realPath, before)
  // A real path that leads elsewhere has been replaced by a link since it was looked at.
  if ((await workspace.files.realPath(realPath)) !== realPath) {
    throw fsError(
      'FS_STALE_VERSION',
      `${path} leads to another place than it did a moment ago; nothing was changed`,
    )
  }
  const formatted = await workspace.files.write(realPath, bytes)
  const observation = { path: realPath, version: versionOf(formatted ?? bytes), lines: 'all' } as const
  workspace.observations.note(observation)
  await exec.report({ kind: 'observed', ...observation })
  const result = formatted && (await decodeText(formatted))
  return result ? { ...describe(workspace, { ...change, after: result }), formatted: true } : value
}

/** For the model, where its text is not what is there now. */
export function formattedNote({ formatted }: ChangeValue): string {
  return formatted
    ? ' The editor formatted the file afterwards; read it again before you rely on its exact text.'
    : ''
}

/** Characters beyond which no snapshot of a file is kept. */
const MAX_SNAPSHOT = 16 * 1024 * 1024

/** Reports what a file holds before it is changed: its text, with a byte order mark where it has one; and what is left. */
export async function reportSnapshot(
  exec: ToolRunContext,
  path: string,
  before: DecodedText | null,
  left?: string,
): Promise<void> {
  if (before && before.text.length > MAX_SNAPSHOT) return
  const text = before && historyText(before)
  await exec.report({ kind: 'snapshot', path, before: text, ...(left !== undefined && { left }) })
}

function encoded(path: string, { text, encoding }: DecodedText): Buffer {
  try {
    return encoding.encode(text)
  } catch (error) {
    if (!(error instanceof UnencodableTextError)) throw error
    throw fsError(
      'FS_NOT_ENCODABLE',
      `${path} is encoded as ${error.encoding}, which has no ${JSON.stringify(error.character)}; ` +
        'write the text without that character, or convert the file first (bash: iconv)',
      error,
    )
  }
}

function describe(workspace: Workspace, { path, before, after, replacements }: PlannedChange): ChangeValue {
  const same = before !== null && before.text === after.text && before.encoding === after.encoding
  const diff = shownHunks(before, after)
  const omitted = Math.max(before?.text.length ?? 0, after.text.length) > MAX_TEXT
  return {
    path: workspace.resolve(path),
    operation: same ? 'unchanged' : before === null ? 'create' : 'update',
    ...(omitted ? { omitted } : { before: before?.text ?? null, after: after.text }),
    ...(replacements !== undefined && { replacements }),
    ...(diff && { diff }),
  }
}

/** Characters of a diff that is shown. */
const MAX_DIFF = 4 * 1024 * 1024

function shownHunks(before: DecodedText | null, after: DecodedText): Hunks | undefined {
  const hunks = hunksOf(before?.text ?? null, after.text)
  return hunks && (hunks.oldText?.length ?? 0) + hunks.newText.length <= MAX_DIFF ? hunks : undefined
}

/** What presenters need of a change. */
export function changeMeta({ operation, diff }: ChangeValue): JsonValue {
  return { operation, ...(diff && { diff }) }
}

/** The view of a change that has not happened yet, with the hunks that it will have. Throws where it can't be written. */
export function previewView(title: string, { path, before, after }: PlannedChange): ToolCallView {
  encoded(path, after)
  const locations = [{ path }]
  const hunks = shownHunks(before, after)
  if (hunks) {
    const { oldText, newText, lines } = hunks
    return { card: 'diff', title, diffs: [{ path, oldText, newText }], locations: locationsOf(path, lines) }
  }
  if (before?.text === after.text || Math.max(before?.text.length ?? 0, after.text.length) < MAX_DIFF) {
    return { card: 'diff', title, diffs: [], locations }
  }
  const sizes = `${before?.text.length ?? 0} characters become ${after.text.length}`
  const content = [{ type: 'text' as const, text: `The change is too large to be shown: ${sizes}.` }]
  return { card: 'generic', title, kind: 'edit', content, locations }
}

/** `undefined` where the stored meta shows no change: the generic card says what happened. */
export function changeView(path: string, { isError, meta }: PresentedResult): DiffResultView | undefined {
  if (isError || !isJsonObject(meta)) return undefined
  if (meta['operation'] === 'unchanged') return { card: 'diff', diffs: [], locations: [{ path }] }
  const stored = meta['diff']
  const diff = isJsonObject(stored) ? fileDiff(path, stored['oldText'], stored['newText']) : undefined
  if (!diff || !isJsonObject(stored)) return undefined
  const lines = Array.isArray(stored['lines'])
    ? stored['lines'].filter((line) => typeof line === 'number')
    : []
  return { card: 'diff', diffs: [diff], locations: locationsOf(path, lines) }
}

function fileDiff(path: string, oldText: unknown, newText: unknown): FileDiff | undefined {
  if (typeof newText !== 'string' || (oldText !== null && typeof oldText !== 'string')) return undefined
  return { path, oldText, newText }
}

function locationsOf(path: string, lines: readonly number[]): FileLocation[] {
  return lines.length === 0 ? [{ path }] : lines.map((line) => ({ path, line }))
}
