// docs/tools.md says what the tools' own definitions say, names every tool and every code that they fail with.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '#registry/definition.ts'
import { createCodeMode } from '#tools/code/code-mode.ts'
import { firstPartyTools } from '#tools/index.ts'
import { readResourceTool } from '#tools/mcp/resources.ts'
import { createWorkspace } from '#workspace/workspace.ts'
import { ROOT } from '../cli/run-bin.ts'
import { pageOf } from './pages.ts'

const page = pageOf('docs/tools.md')
const everything = {
  web: { search: { kind: 'searxng', url: 'http://localhost' } },
  askForm: () => Promise.reject(new Error('nobody')),
  askPlan: () => Promise.reject(new Error('nobody')),
} as const

function allTools(): ToolDefinition[] {
  const workspace = createWorkspace({ cwd: ROOT })
  const { transport } = createCodeMode()
  return [...firstPartyTools(workspace, everything), readResourceTool(() => []), transport]
}

/** One row a parameter, as the page has it. */
function rowsOf({ parameters }: ToolDefinition): string[] {
  const { properties = {}, required = [] } = parameters as {
    properties?: Record<string, { type?: string; enum?: string[]; description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { type = '', enum: choices, description = '' }]) => {
    const mark = required.includes(name) ? '' : '?'
    const kind = choices ? choices.map((choice) => `\`${choice}\``).join(', ') : type
    return `| \`${name}${mark}\` | ${kind} | ${description.replaceAll('|', '\\|').replaceAll('*', '\\*')} |`
  })
}

const tight = (row: string): string => row.replaceAll(/ +/g, ' ').replaceAll('| |', '|  |')

describe('docs/tools.md', () => {
  const tools = allTools()
  const sections = new Map(
    page.text
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')).replaceAll('`', ''), section]),
  )

  it('has a section for every tool', () => {
    const missing = tools.filter(
      ({ name }) => ![...sections.keys()].some((title) => namesOf(title).includes(name)),
    )
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  it.each(tools.map((tool) => [tool.name, tool] as const))('says what %s takes', (name, tool) => {
    const section = [...sections].find(([title]) => namesOf(title).includes(name))?.[1] ?? ''
    const rows = section
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map(tight)
    const wanted = rowsOf(tool).map(tight)
    expect(rows.filter((row) => wanted.includes(row))).toEqual(wanted)
  })

  it('names every code that a tool fails with', () => {
    const source = readdirSync(join(ROOT, 'src/tools'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('_template'))
      .map((path) => readFileSync(join(ROOT, 'src/tools', path), 'utf8'))
      .join('\n')
    const codes = new Set(
      [...source.matchAll(/'((?:FS|SEARCH|SHELL|TASK|WEB|MCP|CODE)_[A-Z_]+)'/g)].map(
        ([, code]) => code ?? '',
      ),
    )
    expect([...codes].filter((code) => !page.spans.includes(code))).toEqual([])
  })
})

function namesOf(title: string): string[] {
  return title.split(/, | and /)
}
