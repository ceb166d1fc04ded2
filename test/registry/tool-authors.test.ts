// docs/tool-authors.md shows a tool that compiles, runs and conforms: this extracts it and does all three.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/tool-authors.md'), 'utf8')
const block = (label: string): string =>
  new RegExp(`\`\`\`ts ${label}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''
const folder = mkdtempSync(join(tmpdir(), 'deckhand-authors-'))
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
const run = (script: string): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-C', 'deckhand-source', script], {
    cwd: folder,
    encoding: 'utf8',
  })
  // No warning either.
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** The project of an author: the package is installed, here by a link to the sources. */
beforeAll(() => {
  const home = join(folder, 'node_modules/deckhand')
  mkdirSync(home, { recursive: true })
  write('package.json', '{ "private": true }')
  const exports = Object.fromEntries(
    ['index', 'testing'].map((name) => [
      name === 'index' ? '.' : `./${name}`,
      { types: `./${name}.d.ts`, default: `./${name}.js` },
    ]),
  )
  write('node_modules/deckhand/package.json', JSON.stringify({ name: 'deckhand', type: 'module', exports }))
  for (const name of ['index', 'testing']) {
    write(
      `node_modules/deckhand/${name}.js`,
      `export * from ${JSON.stringify(pathToFileURL(join(root, `src/${name}.ts`)).href)}\n`,
    )
    write(
      `node_modules/deckhand/${name}.d.ts`,
      `export * from ${JSON.stringify(join(root, `src/${name}.ts`))}\n`,
    )
  }
  write('word-count.mts', block('example'))
  write('word-count.test.mts', block('proof'))
  write('words.txt', 'one two two\nthree')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the example of docs/tool-authors.md', () => {
  it('is about thirty lines', () => {
    expect(block('example').trim().split('\n').length).toBeLessThan(40)
  })

  it('compiles, strictly', () => {
    const compilerOptions = {
      target: 'es2024',
      module: 'nodenext',
      customConditions: ['deckhand-source'],
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    }
    write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions, files: ['word-count.mts', 'word-count.test.mts'] }),
    )
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
      encoding: 'utf8',
    })
  })

  it('conforms', () => {
    run('word-count.test.mts')
  })

  it('runs as a plugin', () => {
    write(
      'drive.mts',
      `import { createRegistry } from 'deckhand'
       import { loadPlugin } from ${JSON.stringify(pathToFileURL(join(root, 'src/registry/plugin-file.ts')).href)}
       const registry = createRegistry()
       const scope = registry.scope()
       const loaded = await loadPlugin(process.cwd() + '/word-count.mts', scope)
       const { signal } = new AbortController()
       const results = []
       for (const args of [{ path: 'words.txt' }, { path: 'words.txt', unique: true }, { path: 'none.txt' }, {}]) {
         results.push(await registry.execute({ callId: 'c', name: 'word_count', arguments: args, scope, signal }))
       }
       process.stdout.write(JSON.stringify([loaded.ok, ...results]))`,
    )
    expect(JSON.parse(run('drive.mts'))).toMatchObject([
      true,
      { value: { words: 4 }, content: [{ text: '4 words in words.txt' }], meta: { words: 4 } },
      { value: { words: 3 } },
      { error: { info: { code: 'CANNOT_READ' } } },
      { error: { message: 'invalid arguments: missing required property "path"' } },
    ])
  })
})
