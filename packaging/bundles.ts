// The bundles: what is needed together lies in one file, so that start-up opens few.
import type { BuildOptions, Plugin } from 'rolldown'

/** Where all of them lie. */
export const DIST = 'dist'

/** The protocol's schemas are made when the first message needs one: making them costs more than all else at the start. */
const lazyProtocolSchemas: Plugin = {
  name: 'lazy-protocol-schemas',
  transform: {
    filter: { id: /@agentclientprotocol[\\/]sdk[\\/]dist[\\/]v1[\\/]stable[\\/]acp\.js$/ },
    handler(code) {
      const [whole, file] = /^import \* as validate from ("[^"]+");$/m.exec(code) ?? []
      if (whole === undefined)
        throw new Error('the SDK of the protocol does not import its schemas as it did')
      const lazy = code
        .replace(whole, `const validate = () => require(${file});`)
        .replace(
          /(requestSpec|notificationSpec)\(([\w.]+), validate\.(\w+)/g,
          '$1($2, (params) => validate().$3.parse(params)',
        )
        .replace(/\bvalidate\.(\w+)\.parse\(/g, 'validate().$1.parse(')
      if (/\bvalidate\.\w/.test(lazy))
        throw new Error('the SDK of the protocol uses its schemas otherwise than it did')
      return lazy
    },
  },
}

/** Calls of `import()` that are left: of modules outside of the bundle. Grammars have `import(?=` in their texts. */
const IMPORT = /(?<![\w$.])import\((?!\?)/g

/** What the loader of chunks wants of them (`src/boot/`): imports by Node's own loader, and nothing beyond ASCII. */
const asChunks: Plugin = {
  name: 'as-chunks',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      if (/\braw`[^`]*[^\0-\x7f]/.test(chunk.code))
        throw new Error(`${chunk.fileName}: raw text beyond ASCII`)
      const code = chunk.code.replaceAll(IMPORT, 'require("./boot.cjs").importModule(')
      // One character beyond would double the memory that a whole chunk takes.
      chunk.code = code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
}

const shared = {
  platform: 'node',
  external: ['@vscode/ripgrep'],
  resolve: {
    conditionNames: ['deckhand-source', 'import', 'node', 'default'],
    // Older packages have their ES modules here; their CommonJS may be a form that no bundler sees through.
    mainFields: ['module', 'main'],
  },
} satisfies BuildOptions

/**
 * The commands and the library faces, as CommonJS: only of that V8 gives the code after it has run
 * (`src/boot/code-cache.ts`). Ordinary modules are put before the faces by the build.
 */
export const program = {
  ...shared,
  input: { main: 'src/main.ts', index: 'src/index.ts', testing: 'src/testing.ts' },
  transform: { target: 'node22', define: inCommonJs() },
  plugins: [lazyProtocolSchemas, asChunks],
  treeshake: {
    // Guards that nobody uses would make all of the protocol's schemas at the start.
    moduleSideEffects: [
      { test: /@agentclientprotocol[\\/]sdk[\\/].*[\\/]guards\.gen\.js$/, sideEffects: false },
    ],
  },
  output: {
    dir: DIST,
    format: 'cjs',
    exports: 'named',
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: {
      groups: [
        // Up to the answer to `initialize`, for a session, for the first prompt.
        { name: 'start', test: /src[\\/]compose\.ts$/, priority: 3 },
        {
          name: 'session',
          test: /src[\\/](compose-agent|bridge[\\/](session-methods|editor-file-system))\.ts$/,
          priority: 2,
        },
        { name: 'model', test: /src[\\/]model[\\/]adapter\.ts$/, priority: 1 },
      ],
    },
  },
} satisfies BuildOptions

/** What loads the chunks of the program. */
export const boot = {
  ...shared,
  input: { boot: 'src/boot/boot.ts' },
  transform: { target: 'node22', define: inCommonJs() },
  output: { dir: DIST, format: 'cjs', exports: 'named', minify: true, entryFileNames: '[name].cjs' },
} satisfies BuildOptions

/** One file each: a worker has no loader of ours. */
export const workers = Object.entries({
  'code-worker': 'src/tools/code/worker.ts',
  'markdown-worker': 'src/tools/web/markdown-worker.ts',
}).map(
  ([name, source]) =>
    ({
      ...shared,
      input: { [name]: source },
      // CommonJS dependencies may ask for `__filename`.
      transform: { target: 'node22', define: { __filename: 'import.meta.filename' } },
      output: { dir: DIST, format: 'esm', minify: true, entryFileNames: '[name].js', codeSplitting: false },
    }) satisfies BuildOptions,
)

function inCommonJs(): Record<string, string> {
  return {
    'import.meta.url': 'require("node:url").pathToFileURL(__filename).href',
    // Only the sources ask for it.
    'import.meta.resolve': 'undefined',
  }
}
