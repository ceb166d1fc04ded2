// A conversation as Markdown, from what an editor would show of it.
import type { Shown, ShownCall, ShownChat } from '#bridge/fold.ts'
import { assertNever, fence } from '#registry/view.ts'

interface Facts {
  id: string
  cwd: string
  createdAt: string
}

/** Pure. Everything that was shown is there; what was cut in the editor is cut here. */
export function conversationMarkdown(shown: Shown, { id, cwd, createdAt }: Facts): string {
  const head = [
    `# ${shown.title ?? 'A session'}`,
    '',
    `Session \`${id}\`, started ${createdAt} in \`${cwd}\`.`,
  ]
  const parts = shown.entries.map((entry) => {
    switch (entry.kind) {
      case 'call':
        return callMarkdown(entry)
      case 'compaction':
        return '*The conversation was summarized for the model here.*'
      case 'user':
      case 'agent':
      case 'thought':
        return chatMarkdown(entry)
      default:
        return assertNever(entry)
    }
  })
  return `${[...head, ...parts.flatMap((part) => ['', part])].join('\n')}\n`
}

function chatMarkdown({ kind, content }: ShownChat): string {
  const text = content.map((block) => (block.type === 'text' ? block.text : `*(${block.type})*`)).join('\n\n')
  if (kind === 'user') return `## ${firstLine(text)}\n\n${quote(text)}`
  return kind === 'thought' ? quote(`*Thinking:* ${text}`) : text
}

function callMarkdown({ fields, terminal }: ShownCall): string {
  const { title, status, kind, content } = fields as {
    title?: string
    status?: string
    kind?: string
    content?: unknown[]
  }
  const name = kind === 'execute' ? fence(title ?? '', 'sh') : `**${title ?? 'A call'}**`
  const failed = status === 'failed' ? '*Failed.*' : ''
  const blocks = (content ?? []).flatMap((block) => contentMarkdown(block as Record<string, unknown>))
  const output = terminal === undefined ? [] : [fence(terminal.output, 'console'), exitText(terminal.exit)]
  return [name, failed, ...blocks, ...output].filter((part) => part !== '').join('\n\n')
}

function contentMarkdown(block: Record<string, unknown>): string[] {
  if (block['type'] === 'diff') {
    const { path, oldText, newText } = block as { path: string; oldText?: string | null; newText: string }
    const removed = oldText == null ? [] : lines(oldText).map((line) => `-${line}`)
    return [
      `\`${path}\``,
      fence([...removed, ...lines(newText).map((line) => `+${line}`)].join('\n'), 'diff'),
    ]
  }
  const inner = block['content'] as { type?: string; text?: string } | undefined
  if (block['type'] !== 'content' || inner === undefined) return []
  return [inner.type === 'text' ? (inner.text ?? '') : `*(${inner.type})*`]
}

function exitText(exit: unknown): string {
  const { exit_code: code, signal } = (exit ?? {}) as { exit_code?: number | null; signal?: string | null }
  if (signal != null) return `Killed by ${signal}.`
  return code == null || code === 0 ? '' : `Exit ${code}.`
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? 'Prompt').replace(/^#+\s*/, '').slice(0, 80)
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}
