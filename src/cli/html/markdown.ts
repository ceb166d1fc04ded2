// Markdown as a page shows it: parsed by marked, every text escaped, code highlighted, HTML shown as text.
import { marked, type Token, type Tokens } from 'marked'
import type { Highlight } from './highlight.ts'
import { html, join, NOTHING, type Html } from './safe.ts'

export function drawMarkdown(highlight: Highlight, text: string): Promise<Html> {
  return all(highlight, marked.lexer(text, { gfm: true }))
}

async function all(highlight: Highlight, tokens: readonly Token[] = []): Promise<Html> {
  return join(await Promise.all(tokens.map((token) => one(highlight, token))))
}

async function one(highlight: Highlight, token: Token): Promise<Html> {
  const inner = (): Promise<Html> => all(highlight, 'tokens' in token ? token.tokens : [])
  switch (token.type) {
    case 'space':
      return NOTHING
    case 'code':
      return drawCode(highlight, token['text'], token['lang'] ?? '')
    case 'heading':
      return html`<p class="h">${await inner()}</p>`
    case 'paragraph':
      return html`<p>${await inner()}</p>`
    case 'blockquote':
      return html`<blockquote>${await inner()}</blockquote>`
    case 'hr':
      return html`<hr />`
    case 'list':
      return list(highlight, token as Tokens.List)
    case 'table':
      return table(highlight, token as Tokens.Table)
    case 'strong':
      return html`<strong>${await inner()}</strong>`
    case 'em':
      return html`<em>${await inner()}</em>`
    case 'del':
      return html`<del>${await inner()}</del>`
    case 'codespan':
      return html`<code>${token['text']}</code>`
    case 'br':
      return html`<br />`
    case 'link':
      return link(token['href'], await inner())
    case 'text':
      return token.tokens ? inner() : html`${token['text']}`
    case 'escape':
      return html`${token['text']}`
    default:
      return html`${token.raw}`
  }
}

async function list(highlight: Highlight, token: Tokens.List): Promise<Html> {
  const items = await Promise.all(
    token.items.map(async (item) => html`<li>${await all(highlight, item.tokens)}</li>`),
  )
  return token.ordered
    ? html`<ol>
        ${join(items)}
      </ol>`
    : html`<ul>
        ${join(items)}
      </ul>`
}

async function table(highlight: Highlight, { header, rows }: Tokens.Table): Promise<Html> {
  const cells = async (row: Tokens.TableCell[]): Promise<Html> =>
    join(
      await Promise.all(
        row.map(async ({ header: heads, tokens }) => {
          const inner = await all(highlight, tokens)
          return heads ? html`<th>${inner}</th>` : html`<td>${inner}</td>`
        }),
      ),
    )
  const lines = await Promise.all(
    [header, ...rows].map(
      async (row) =>
        html`<tr>
          ${await cells(row)}
        </tr>`,
    ),
  )
  return html`<div class="scroll grid" tabindex="0">
    <table>
      ${join(lines)}
    </table>
  </div>`
}

/** Where a link leads is seen, and it opens only for a protocol that a page may open. */
function link(href: string, label: Html): Html {
  if (!/^(?:https?|mailto):/i.test(href)) return html`${label}`
  return html`<a href="${href}" title="${href}" rel="noreferrer noopener" target="_blank">${label}</a>`
}

/** A block of code with its language; a column of numbers in front of the lines is set apart. */
export async function drawCode(highlight: Highlight, text: string, tag: string): Promise<Html> {
  const lang = tag.split(/\s/)[0] ?? ''
  const numbered = text.split('\n').map((line) => /^( *\d+) {2}(.*)$/.exec(line))
  if (text !== '' && numbered.every((match) => match !== null)) {
    const code = await highlight.lines(numbered.map((match) => match[2] ?? '').join('\n'), lang)
    const rows = code.map(
      (line, index) =>
        html`<tr>
          <td class="num">${numbered[index]?.[1]?.trim() ?? ''}</td>
          <td class="line">${line}</td>
        </tr>`,
    )
    return html`<div class="scroll code" tabindex="0">
      <table>
        ${join(rows)}
      </table>
    </div>`
  }
  const lines = await highlight.lines(text, lang)
  return html`<pre class="code ${lang === 'console' ? 'console' : ''}" tabindex="0">
${join(lines, '\n')}</pre>`
}
