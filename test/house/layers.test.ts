// The house rules that lint can't hold: no circles, no strays, small rooms, a true tree.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { filesBelow, roomOf, root, sourceFiles } from './source.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const source = sourceFiles('src')
const rooms = [...new Set(source.map((file) => roomOf(file.path)))].filter((room) => !room.endsWith('.ts'))

/** From the bottom up: a room imports only from rooms before it. */
const LAYERS = [
  ['json', 'telemetry'],
  ['config'],
  ['model'],
  ['registry'],
  ['workspace', 'session'],
  ['tools', 'policy', 'agent'],
  ['bridge'],
  ['compose-servers.ts', 'compose-presenters.ts'],
  ['compose-session.ts'],
  ['compose-agent.ts'],
  ['cli', 'compose.ts', 'index.ts', 'testing.ts'],
  ['main.ts', 'boot'],
]
/** Pairs that the order of the layers would let pass and the design forbids. */
const FORBIDDEN = new Set(['tools → session', 'policy → session', 'bridge → tools', 'bridge → policy'])
const heightOf = (room: string) => LAYERS.findIndex((layer) => layer.includes(room))

describe('layers', () => {
  const crossings = source.flatMap((file) =>
    file.imports.map((target) => ({ from: roomOf(file.path), to: roomOf(target), file: file.path, target })),
  )

  it('knows every room', () => {
    expect(
      [...new Set(source.map((file) => roomOf(file.path)))].filter((room) => heightOf(room) < 0),
    ).toEqual([])
  })

  it('sees the imports at all', () => {
    expect(crossings.length).toBeGreaterThan(source.length)
  })

  it('points one way', () => {
    const wrong = crossings.filter(
      ({ from, to }) =>
        from !== to &&
        (FORBIDDEN.has(`${from} → ${to}`) ||
          heightOf(to) > heightOf(from) ||
          (heightOf(to) === heightOf(from) && from !== 'cli')),
    )
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
  })

  it('imports only files that exist', () => {
    const missing = crossings.filter(({ target }) => !existsSync(join(root, target)))
    expect(missing.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
  })

  it('has a row in the lint table for every room', () => {
    const { overrides } = JSON.parse(read('.oxlintrc.json')) as { overrides: { files: string[] }[] }
    const rows = new Set(overrides.flatMap((override) => override.files))
    expect(rooms.filter((room) => !rows.has(`src/${room}/**`))).toEqual([])
  })

  it('keeps tool names out of the bridge', () => {
    const names = source
      .filter((file) => file.path.startsWith('src/tools/'))
      .flatMap((file) =>
        [...read(file.path).matchAll(/^\s+name: '([a-z]+_?[a-z]+)',$/gm)].map((match) => match[1]),
      )
    const mentions = source
      .filter((file) => file.path.startsWith('src/bridge/'))
      .flatMap((file) =>
        names
          .filter((name) => read(file.path).includes(`=== '${name}'`))
          .map((name) => `${file.path}: ${name}`),
      )
    expect(mentions).toEqual([])
  })
})

describe('circles', () => {
  it('has no file that reaches itself at run time', () => {
    const graph = new Map(source.map((file) => [file.path, file.runtimeImports]))
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (path: string, trail: string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      else if (!done.has(path)) {
        for (const target of graph.get(path) ?? []) visit(target, [...trail, path])
        done.add(path)
      }
    }
    for (const path of graph.keys()) visit(path, [])
    expect(circles).toEqual([])
  })
})

describe('rooms', () => {
  it('stay small', () => {
    const large = [
      ...source.filter((file) => file.lines > 300),
      ...sourceFiles('test').filter((file) => file.lines > 400),
    ]
    expect(large.map((file) => `${file.path}: ${file.lines}`)).toEqual([])
  })

  it('have names that say what they decide', () => {
    const vague = /\/(utils?|helpers?|common|managers?|services?|misc)(\.ts$|\/)/
    expect(filesBelow('src').filter((path) => vague.test(path))).toEqual([])
  })

  it('format nothing for a language at import: that loads the tables of all languages', () => {
    const early = /^(?:export )?const [^\n]*(?:toLocale\w*String\(|\bIntl\.)/m
    const agent = source.filter((file) => !file.path.startsWith('src/cli/'))
    expect(agent.filter((file) => early.test(read(file.path))).map((file) => file.path)).toEqual([])
  })

  it('start every file with one line about it', () => {
    const silent = source.filter((file) => !read(file.path).startsWith('// '))
    expect(silent.map((file) => file.path)).toEqual([])
  })
})

describe('documents', () => {
  it('shows a true tree in CONTRIBUTING.md', () => {
    const tree = /```text\n(?<tree>[\s\S]*?)```/.exec(read('CONTRIBUTING.md'))?.groups?.['tree'] ?? ''
    const named: string[] = []
    let parent = ''
    for (const line of tree.split('\n').filter(Boolean)) {
      const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? []
      if (indent === '') parent = name.endsWith('/') ? name : ''
      named.push(indent === '' ? name : parent + name)
    }
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(rooms.filter((room) => !named.includes(`src/${room}/`))).toEqual([])
  })

  it('names every folder at the top in docs/architecture.md', () => {
    const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    })
    const folders = new Set(
      tracked.split('\n').flatMap((path) => (path.includes('/') ? [path.slice(0, path.indexOf('/'))] : [])),
    )
    const text = read('docs/architecture.md')
    expect([...folders].filter((folder) => !text.includes(`\`${folder}/\``))).toEqual([])
  })

  it('keeps addresses of registries out of the lock', () => {
    expect(read('package-lock.json')).not.toContain('"resolved"')
  })
})
