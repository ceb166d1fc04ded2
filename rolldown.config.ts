// The bundle of the commands and the library faces: what is needed together lies in one file, so that start-up opens few.
import type { BuildOptions, Plugin } from 'rolldown'

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

export default {
  input: { main: 'src/main.ts', index: 'src/index.ts', testing: 'src/testing.ts' },
  platform: 'node',
  external: ['@vscode/ripgrep'],
  resolve: {
    conditionNames: ['deckhand-source', 'import', 'node', 'default'],
    // Older packages have their ES modules here; their CommonJS may be a form that no bundler sees through.
    mainFields: ['module', 'main'],
  },
  // CommonJS dependencies may ask for `__filename`.
  transform: { target: 'node22', define: { __filename: 'import.meta.filename' } },
  plugins: [lazyProtocolSchemas],
  treeshake: {
    // Guards that nobody uses would make all of the protocol's schemas at the start.
    moduleSideEffects: [
      { test: /@agentclientprotocol[\\/]sdk[\\/].*[\\/]guards\.gen\.js$/, sideEffects: false },
    ],
  },
  output: {
    dir: 'dist',
    format: 'esm',
    minify: true,
    chunkFileNames: '[name]-[hash].js',
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
