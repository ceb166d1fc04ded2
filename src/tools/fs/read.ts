// read: a numbered window of a text file, or an image.
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import type { ToolRunContext } from '#registry/types.ts'
import { code, type ReadFileLine, type ReadResultView } from '#registry/view.ts'
import { emptyOnes } from '#tools/filled.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { versionOf } from '#workspace/observations.ts'
import { fsError, guarded, notFound, notRegularFile, notText } from './failure.ts'
import { IMAGE_MAGIC, imageType, MAX_IMAGE } from './image.ts'
import { languageOf } from './language.ts'
import { MAX_LINES, type WindowRequest } from './line-collector.ts'
import { readWindow, windowOf } from './read-window.ts'

/** Bytes of a file up to which it is read at once. */
const HELD_WHOLE = 256 * 1024

type TextValue = { path: string; offset: number; lines: ReadFileLine[]; totalLines: number; encoding: string }
type ImageValue = { path: string; mimeType: string; data: string }

const TEXT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    path: { type: 'string', required: true },
    offset: { type: 'integer', required: true },
    lines: {
      type: 'array',
      required: true,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { number: { type: 'integer', required: true }, text: { type: 'string', required: true } },
      },
    },
    totalLines: { type: 'integer', required: true },
    encoding: { type: 'string', required: true },
  },
} as const

const IMAGE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    path: { type: 'string', required: true },
    mimeType: { type: 'string', required: true },
    data: { type: 'string', required: true, description: 'base64' },
  },
} as const

export function readTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'read',
    description:
      'Reads a file. Text comes as numbered lines (the numbers are not part of the file), at most 2000 lines and ' +
      '50 KiB a call; use offset and limit for more. Images (png, jpeg, gif, webp) are shown. ' +
      'Relative paths start at the working directory. Read a file before you edit or overwrite it.',
    parameters: {
      file_path: { type: 'string', required: true, description: 'The file, absolute or relative.' },
      offset: { type: 'integer', description: 'First line, from 1. Default 1.' },
      limit: { type: 'integer', description: 'Number of lines. Default and maximum 2000.' },
    },
    output: {
      schema: { oneOf: [TEXT_SCHEMA, IMAGE_SCHEMA] },
      render: (_args, value) =>
        'data' in value
          ? [{ type: 'image', data: value.data, mimeType: value.mimeType }]
          : [{ type: 'text', text: windowText(value) }],
      presentationMeta: (_args, value) => ('data' in value ? undefined : value),
    },
    isConcurrencySafe: () => true,
    violations: violationsOf,
    execute: (args, exec) =>
      guarded(args.file_path, () => read(workspace, args.file_path, requestOf(args), exec)),
    presentCall: ({ file_path: path, offset, limit }) => ({
      card: 'generic',
      title: `Read ${code(path)}${rangeOf(offset, limit)}`,
      kind: 'read',
      rawInput: {
        file_path: path,
        ...(offset !== undefined && { offset }),
        ...(limit !== undefined && { limit }),
      },
      locations: [{ path, ...(offset !== undefined && offset > 0 && { line: offset }) }],
    }),
    presentResult: ({ file_path: path }, { isError, meta }) => (isError ? undefined : readView(path, meta)),
  })
}

type ReadArgs = { file_path: string; offset?: number; limit?: number }

function violationsOf({ file_path, offset = 1, limit = 1 }: ReadArgs): string[] {
  const violations = emptyOnes({ file_path })
  if (offset < 1) violations.push(`offset must be at least 1, got ${offset}`)
  if (limit < 1) violations.push(`limit must be at least 1, got ${limit}`)
  return violations
}

function requestOf({ offset = 1, limit = MAX_LINES }: ReadArgs): WindowRequest {
  return { offset, limit: Math.min(limit, MAX_LINES) }
}

async function read(
  workspace: Workspace,
  filePath: string,
  request: WindowRequest,
  exec: ToolRunContext,
): Promise<TextValue | ImageValue> {
  const path = workspace.resolve(filePath)
  const stat = await workspace.files.stat(path)
  if (!stat) throw notFound(filePath, 'check the path with glob')
  if (stat.kind !== 'file') throw notRegularFile(filePath, stat.kind)
  // A large file is opened again for its text, and never held as a whole.
  const held = stat.size <= HELD_WHOLE ? await workspace.files.read(path) : undefined
  const open = () => workspace.files.stream(path, exec.signal)
  const head = held?.subarray(0, IMAGE_MAGIC) ?? (await firstBytes(open()))
  const mimeType = imageType(head)
  if (mimeType) return readImage(workspace, { filePath, path, mimeType, size: stat.size }, exec)
  const window = await (held ? windowOf(held, request) : readWindow({ head, open }, request))
  if (!window) throw notText(filePath)
  const { lines, totalLines, version, encoding } = window
  const last = lines.at(-1)?.number
  if (last !== undefined || totalLines === 0) {
    const whole = totalLines === 0 || (request.offset === 1 && last === totalLines)
    await observe(
      workspace,
      exec,
      path,
      version,
      whole || last === undefined ? 'all' : [request.offset, last],
    )
  }
  return { path, offset: request.offset, lines, totalLines, encoding: encoding.name }
}

async function observe(
  workspace: Workspace,
  exec: ToolRunContext,
  path: string,
  version: string,
  lines: 'all' | readonly [number, number],
): Promise<void> {
  const observation = { path: await workspace.files.realPath(path), version, lines }
  workspace.observations.note(observation)
  await exec.report({ kind: 'observed', ...observation })
}

async function firstBytes(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  for await (const bytes of stream) return Uint8Array.from(bytes.subarray(0, IMAGE_MAGIC))
  return new Uint8Array()
}

type ImageFile = { filePath: string; path: string; mimeType: string; size: number }

async function readImage(workspace: Workspace, file: ImageFile, exec: ToolRunContext): Promise<ImageValue> {
  if (file.size > MAX_IMAGE) throw fsError('FS_TOO_LARGE', `${file.filePath} is an image of more than 10 MiB`)
  const bytes = await workspace.files.read(file.path)
  await observe(workspace, exec, file.path, versionOf(bytes), 'all')
  return { path: file.path, mimeType: file.mimeType, data: bytes.toString('base64') }
}

function rangeOf(offset: number | undefined, limit: number | undefined): string {
  if (limit !== undefined) return ` (lines ${offset ?? 1}–${(offset ?? 1) + limit - 1})`
  return offset !== undefined && offset > 1 ? ` (from line ${offset})` : ''
}

/** What the model reads: numbered lines, then where it stands. */
function windowText({ offset, lines, totalLines, encoding }: TextValue): string {
  const named = encoding === 'utf-8' ? '' : ` (${encoding})`
  const files = totalLines === 1 ? '1 line' : `${totalLines} lines`
  if (totalLines === 0) return '[the file is empty]'
  const last = lines.at(-1)?.number
  if (last === undefined) return `[offset ${offset} is past the end: the file has ${files}]`
  const width = String(last).length
  const numbered = lines.map(({ number, text }) => `${String(number).padStart(width)}\t${text}`).join('\n')
  const footer =
    last === totalLines
      ? `[end of file: ${files}${named}]`
      : `[lines ${offset}–${last} of ${totalLines}${named}; continue with offset ${last + 1}]`
  return `${numbered}\n\n${footer}`
}

function readView(path: string, meta: JsonValue | undefined): ReadResultView | undefined {
  if (!isJsonObject(meta) || !Array.isArray(meta['lines'])) return undefined
  const { offset, totalLines } = meta
  if (typeof offset !== 'number' || typeof totalLines !== 'number') return undefined
  const lines = meta['lines'].flatMap((line) =>
    isJsonObject(line) && typeof line['number'] === 'number' && typeof line['text'] === 'string'
      ? [{ number: line['number'], text: line['text'] }]
      : [],
  )
  const lang = languageOf(path)
  return { card: 'read', path, offset, lines, totalLines, ...(lang !== undefined && { lang }) }
}
