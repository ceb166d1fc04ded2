// A conversation as Markdown, from what an editor would show of it.
import type { ContentBlock, ToolCallContent } from '@agentclientprotocol/sdk'
import { changeHunks } from '#bridge/cards/patch.ts'
import { isPlainTitle } from '#bridge/cards/title.ts'
import { isCommand, type Shown, type ShownCall, type ShownChat, type ShownNotice } from '#bridge/fold.ts'
import { assertNever, code, fence } from '#registry/view.ts'
import { cleanTerminalText } from '#workspace/terminal-text.ts'
import { cutUnits } from '#workspace/text.ts'

interface Facts {
  id: string
  cwd: string
  createdAt: string
}

/** Pure. Everything that was shown is there; what was cut in the editor is cut here. */
export function conversationMarkdown(shown: Shown, { id, cwd, createdAt }: Facts): string {
  const parts = [
    `# ${shown.title ?? 'A session'}`,
    `Session ${code(id)}, started ${createdAt} in ${code(cwd)}.`,
    ...shown.entries.map(entryMarkdown),
    ...planMarkdown(shown.plan),
  ]
  return `${parts.join('\n\n')}\n`
}

function entryMarkdown(entry: Shown['entries'][number]): string {
  switch (entry.kind) {
    case 'call':
      return callMarkdown(entry)
    case 'compaction':
      return '*The conversation was summarized for the model here.*'
    case 'notice':
      return noticeMarkdown(entry)
    case 'user':
    case 'agent':
    case 'thought':
      return chatMarkdown(entry)
    default:
      return assertNever(entry)
  }
}

function chatMarkdown({ kind, content }: ShownChat): string {
  const text = content.map(blockMarkdown).join('\n\n')
  if (kind === 'user') return `## ${firstLine(text)}\n\n${quote(text)}`
  return kind === 'thought' ? quote(`*Thinking:* ${text}`) : text
}

const SEVERITIES: Readonly<Record<string, string>> = { warning: 'Warning', error: 'Error' }

function noticeMarkdown({ severity, title, description }: ShownNotice): string {
  const text = description === undefined ? title : `${title}: ${description}`
  return quote(`**${SEVERITIES[severity] ?? 'Note'}:** ${text}`)
}

/** As it was last: on its way the conversation has only updates of it. */
function planMarkdown(plan: unknown): string[] {
  const entries = Array.isArray(plan) ? (plan as { content: string; status: string }[]) : []
  const items = entries.map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${content}`)
  return items.length === 0 ? [] : ['## The plan', items.join('\n')]
}

function callMarkdown(call: ShownCall): string {
  const { terminal } = call
  const {
    title = 'A call',
    kind = 'other',
    status,
    content,
  } = call.fields as {
    title?: string
    kind?: string
    status?: string
    content?: readonly ToolCallContent[]
  }
  const name = isCommand(call.fields) ? fence(title, 'sh') : `**${inMarkdown(title, kind)}**`
  const failed = status === 'failed' ? '*Failed.*' : ''
  const blocks = (content ?? []).map(contentMarkdown)
  const output =
    terminal === undefined
      ? []
      : [fence(cleanTerminalText(terminal.output), 'console'), exitText(terminal.exit)]
  return [name, failed, ...blocks, ...output].filter((part) => part !== '').join('\n\n')
}

function inMarkdown(title: string, kind: string): string {
  return isPlainTitle(kind) && /[*_`~<[\]\\]/.test(title) ? code(title) : title
}

function contentMarkdown(content: ToolCallContent): string {
  switch (content.type) {
    case 'diff': {
      const { path, oldText, newText } = content
      const hunks = changeHunks(oldText ?? '', newText)
      const bodies = hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')).join('\n'))
      return `${code(path)}\n\n${fence(bodies.join('\n⋯\n'), 'diff')}`
    }
    case 'terminal':
      return ''
    case 'content':
      return blockMarkdown(content.content)
    default:
      return assertNever(content)
  }
}

function blockMarkdown(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource_link':
      return `[${block.title ?? block.name}](<${block.uri}>)`
    case 'resource':
      return 'text' in block.resource
        ? `${code(block.resource.uri)}\n\n${fence(String(block.resource.text))}`
        : code(block.resource.uri)
    case 'image':
    case 'audio':
      return `*(${block.type})*`
    default:
      return assertNever(block)
  }
}

function exitText(exit: unknown): string {
  const { exit_code: status, signal } = (exit ?? {}) as { exit_code?: number | null; signal?: string | null }
  if (signal != null) return `Killed by ${signal}.`
  return status == null || status === 0 ? '' : `Exit ${status}.`
}

function firstLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? 'Prompt'
  return cutUnits(line.replace(/^#+\s*/, ''), 80)
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}
