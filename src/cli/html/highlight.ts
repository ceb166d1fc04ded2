// Highlighted code, by shiki: each language is loaded when it is first needed.
import type { LanguageInput } from 'shiki/core'
import { createHighlighterCore, type HighlighterCore, type ThemedToken } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { html, join, type Html } from './safe.ts'

const LANGUAGES: Readonly<Record<string, LanguageInput>> = {
  bash: () => import('@shikijs/langs/bash'),
  c: () => import('@shikijs/langs/c'),
  cpp: () => import('@shikijs/langs/cpp'),
  css: () => import('@shikijs/langs/css'),
  diff: () => import('@shikijs/langs/diff'),
  go: () => import('@shikijs/langs/go'),
  html: () => import('@shikijs/langs/html'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  jsonc: () => import('@shikijs/langs/jsonc'),
  jsx: () => import('@shikijs/langs/jsx'),
  markdown: () => import('@shikijs/langs/markdown'),
  python: () => import('@shikijs/langs/python'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
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
    themes: [import('@shikijs/themes/github-light-default'), import('@shikijs/themes/github-dark-default')],
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
