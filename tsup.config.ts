// The bundle: entries that share chunks, so that lazy imports stay lazy and start-up loads little.
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'
import { licenceNotices } from './packaging/licences.ts'

export default defineConfig({
  // Workers, and the WebAssembly of Code Mode, lie beside the chunks.
  entry: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    testing: 'src/testing.ts',
    'code-worker': 'src/tools/code/worker.ts',
    'markdown-worker': 'src/tools/web/markdown-worker.ts',
  },
  onSuccess: async () => {
    await copyFile('node_modules/quickjs-wasi/quickjs.wasm', 'dist/quickjs.wasm')
    const metafile = JSON.parse(await readFile('dist/metafile-esm.json', 'utf8'))
    await writeFile('dist/THIRD-PARTY-LICENSES.txt', await licenceNotices(metafile, '.'))
  },
  // What went into the bundle: for the notices, and for the test that they are complete.
  metafile: true,
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
