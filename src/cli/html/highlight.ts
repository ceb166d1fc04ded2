// Highlighted code, by shiki: each language is loaded when it is first needed.
import type { LanguageInput } from 'shiki/core'
import { createHighlighterCore, type HighlighterCore, type ThemedToken } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { html, join, type Html } from './safe.ts'

const LANGUAGES: Readonly<Record<string, LanguageInput>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsonc: () => import('shiki/langs/jsonc.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}
const ALIASES: Readonly<Record<string, string>> = {
  cjs: 'javascript',
  h: 'c',
  htm: 'html',
  js: 'javascript',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  yml: 'yaml',
}
const THEMES = { light: 'github-light-default', dark: 'github-dark-default' } as const
/** Characters beyond which code stays plain. */
const LONGEST = 200_000

export interface Highlight {
  /** One piece of HTML a line. `lang`: a tag or a file's extension; `ansi` reads colour sequences. */
  lines(text: string, lang: string): Promise<Html[]>
}

export async function createHighlight(): Promise<Highlight> {
  const core = await createHighlighterCore({
    themes: [import('shiki/themes/github-light-default.mjs'), import('shiki/themes/github-dark-default.mjs')],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  return {
    lines: async (text, lang) => {
      const known = text.length > LONGEST ? 'text' : await load(core, lang.toLowerCase())
      const { tokens } = core.codeToTokens(text, {
        lang: known,
        themes: THEMES,
        defaultColor: 'light-dark()',
      })
      return tokens.map((line) => join(line.map(span)))
    },
  }
}

async function load(core: HighlighterCore, tag: string): Promise<string> {
  if (tag === 'ansi') return tag
  const name = ALIASES[tag] ?? tag
  const language = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined
  if (language === undefined) return 'text'
  if (!core.getLoadedLanguages().includes(name)) await core.loadLanguage(language)
  return name
}

const STYLES = new Set(['color', 'background-color', 'font-style', 'font-weight', 'text-decoration'])
/** What text has in these themes anyway. */
const PLAIN = /^color:light-dark\(#1f2328, ?#e6edf3\)$/i

function span({ content, htmlStyle = {} }: ThemedToken): Html {
  const style = Object.entries(htmlStyle)
    .filter(([name]) => STYLES.has(name))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
  if (style === '' || PLAIN.test(style) || content.trim() === '') return html`${content}`
  return html`<span style="${style}">${content}</span>`
}

/** The tag for a file: its extension. */
export function langOf(path: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1] ?? ''
}
