// One card as a page shows it: what an editor would draw of the call.
import type { ContentBlock, ToolCallContent } from '@agentclientprotocol/sdk'
import { displayPath } from '#bridge/cards/path.ts'
import { isPlainTitle } from '#bridge/cards/title.ts'
import { isCommand, type ShownCall } from '#bridge/fold.ts'
import { drawDiff } from './diff.ts'
import { langOf, type Highlight } from './highlight.ts'
import { drawCode, drawMarkdown } from './markdown.ts'
import { html, join, NOTHING, type Html } from './safe.ts'
import { drawTerminal } from './terminal.ts'

const ICONS: Readonly<Record<string, string>> = {
  read: '☰',
  edit: '✎',
  delete: '⌫',
  move: '⇢',
  search: '⌕',
  execute: '❯',
  think: '✦',
  fetch: '⇣',
  switch_mode: '⇄',
  other: '◆',
}
const STATUS: Readonly<Record<string, string>> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'done',
  failed: 'failed',
}
const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/

export async function drawCall(highlight: Highlight, call: ShownCall, cwd: string): Promise<Html> {
  const { fields } = call
  const kind = text(fields['kind']) || 'other'
  const status = text(fields['status']) || 'pending'
  const content = list(fields['content']) as readonly ToolCallContent[]
  const drawn = await Promise.all(content.map((entry) => drawContent(highlight, entry, call, cwd)))
  const body = join([...drawn, places(list(fields['locations']) as readonly Place[], content, cwd)])
  return html`<article class="card ${status}">
    <header>
      <span class="icon" title="${kind}">${ICONS[kind] ?? '◆'}</span>${await title(highlight, call)}<span
        class="status ${status}"
        >${STATUS[status] ?? status}</span
      >
    </header>
    <div class="body">${body}</div>
    ${await rawFields(highlight, fields)}
  </article>`
}

async function title(highlight: Highlight, call: ShownCall): Promise<Html> {
  const value = text(call.fields['title'])
  if (isCommand(call.fields)) return html`<pre class="title">${value}</pre>`
  const plain = isPlainTitle(text(call.fields['kind']))
  return html`<div class="title">${plain ? html`${value}` : await drawMarkdown(highlight, value)}</div>`
}

async function drawContent(
  highlight: Highlight,
  entry: ToolCallContent,
  call: ShownCall,
  cwd: string,
): Promise<Html> {
  if (entry.type === 'diff') {
    const shortPath = displayPath(entry.path, { cwd, roots: [] })
    return drawDiff(highlight, entry, { shortPath, starts: startsIn(call, entry.path) })
  }
  if (entry.type === 'terminal') return drawTerminal(highlight, call.terminal ?? { output: '' })
  return drawBlock(highlight, entry.content)
}

export async function drawBlock(highlight: Highlight, block: ContentBlock): Promise<Html> {
  switch (block.type) {
    case 'text':
      return html`<div class="prose">${await drawMarkdown(highlight, block.text)}</div>`
    case 'image':
      if (!IMAGE.test(block.mimeType)) break
      return html`<img
        alt="A picture (${block.mimeType})"
        src="data:${block.mimeType};base64,${block.data}"
      />`
    case 'resource_link':
      return html`<p class="chip">↗ ${block.title ?? block.name} <small>${block.uri}</small></p>`
    case 'resource': {
      const { resource } = block
      if (!('text' in resource) || typeof resource.text !== 'string')
        return html`<p class="chip">⧉ ${resource.uri}</p>`
      return html`<p class="chip">⧉ ${resource.uri}</p>
        ${await drawCode(highlight, resource.text, langOf(resource.uri))}`
    }
    default:
  }
  return html`<p class="chip">${block.type}</p>`
}

/** Locations that the content does not show already. */
function places(locations: readonly Place[], content: readonly ToolCallContent[], cwd: string): Html {
  const shown = new Set(content.flatMap((entry) => (entry.type === 'diff' ? [entry.path] : [])))
  const rest = locations.filter(({ path }) => !shown.has(path))
  if (rest.length === 0) return NOTHING
  const items = rest.map(({ path, line }) => {
    const short = displayPath(path, { cwd, roots: [] })
    return html`<li><code>${line == null ? short : `${short}:${line}`}</code></li>`
  })
  return html`<ul class="places">
    ${join(items)}
  </ul>`
}

/** Where the changes of this file begin, as far as the call says. */
function startsIn({ fields }: ShownCall, path: string): number[] {
  return (list(fields['locations']) as Place[]).flatMap((place) =>
    place.path === path && typeof place.line === 'number' ? [place.line] : [],
  )
}

interface Place {
  path: string
  line?: number | null
}

async function rawFields(highlight: Highlight, fields: ShownCall['fields']): Promise<Html> {
  const { rawInput, rawOutput } = fields
  if (rawInput === undefined && rawOutput === undefined) return NOTHING
  const parts = Object.entries({ rawInput, rawOutput }).filter(([, value]) => value !== undefined)
  const drawn = await Promise.all(
    parts.map(
      async ([name, value]) =>
        html`<p class="label">${name}</p>
          ${await drawCode(highlight, JSON.stringify(value, null, 2), 'json')}`,
    ),
  )
  return html`<details class="raw">
    <summary>raw</summary>
    ${join(drawn)}
  </details>`
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
