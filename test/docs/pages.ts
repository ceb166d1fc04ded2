// The pages that people read, and what stands in them: fenced blocks, spans of code, links, headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, walkTokens, type Token } from 'marked'
import { ROOT } from '../cli/run-bin.ts'

export interface Block {
  /** `page:line`, for messages. */
  at: string
  /** The info string: a language, and what the block is. Empty for an indented block. */
  label: string
  text: string
}

export interface Page {
  /** Relative to the repository. */
  path: string
  text: string
  blocks: Block[]
  /** The texts of inline code. */
  spans: string[]
  /** Targets of links and pictures. */
  links: string[]
  /** As anchors. */
  headings: string[]
}

const AT_TOP = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter((name) => existsSync(join(ROOT, name)))
const BELOW = ['docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
)

export const PAGES: readonly Page[] = [...AT_TOP, ...BELOW].map(readPage)

export function pageOf(path: string): Page {
  const page = PAGES.find((candidate) => candidate.path === path)
  if (!page) throw new Error(`there is no page ${path}`)
  return page
}

/** The rows of the table whose head has this text, as cells. */
export function tableOf({ path, text }: Page, heading: string): string[][] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith('|') && line.includes(heading))
  if (start < 0) throw new Error(`${path} has no table of ${heading}`)
  const rows = lines.slice(start + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows
    .slice(0, end < 0 ? undefined : end)
    .map((row) => row.replaceAll('\\|', '\u0000').split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.replaceAll('\u0000', '|').trim()))
}

function readPage(path: string): Page {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const page: Page = { path, text, blocks: [], spans: [], links: [], headings: [] }
  let from = 0
  void walkTokens(lexer(text), (token: Token) => {
    if (token.type === 'code') {
      const { at, next } = placeOf(token, path, text, from)
      from = next
      page.blocks.push({ at, label: labelOf(token), text: String(token.text) })
    } else note(page, token)
  })
  return page
}

function labelOf(token: Token): string {
  return token.type !== 'code' || token.codeBlockStyle === 'indented' ? '' : (token.lang ?? '')
}

function placeOf(token: Token, path: string, text: string, from: number): { at: string; next: number } {
  const label = labelOf(token)
  const [first = ''] = token.raw.trim().split('\n')
  const found = text.indexOf(label === '' ? first : `\`\`\`${label}\n`, from)
  return { at: `${path}:${text.slice(0, found).split('\n').length}`, next: found + 1 }
}

function note(page: Page, token: Token): void {
  if (token.type === 'codespan') page.spans.push(unescaped(String(token.text)))
  else if (token.type === 'link' || token.type === 'image') page.links.push(String(token.href))
  else if (token.type === 'heading') page.headings.push(anchorOf(unescaped(String(token.text))))
  else if (token.type === 'html') page.links.push(...sourcesIn(String(token.text)))
}

function sourcesIn(html: string): string[] {
  return [...html.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('\\|', '|')
    .replaceAll('&amp;', '&')
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
