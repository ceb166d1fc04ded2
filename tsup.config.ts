// The bundle: three entries that share chunks, so that lazy imports stay lazy and start-up loads little.
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/main.ts', 'src/index.ts', 'src/testing.ts'],
  format: 'esm',
  target: 'node22',
  platform: 'node',
  splitting: true,
  // Types are emitted behind the bundle, and outlive a bundle that is made alone.
  clean: ['!types/**'],
  minify: true,
  dts: false,
  // CommonJS dependencies may ask for `__filename`.
  shims: true,
  noExternal: [/.*/],
  external: ['@vscode/ripgrep'],
  // CommonJS dependencies inside an ES module bundle still call `require` for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
})
