// The whole build: the workers, each one file; everything else by `rolldown.config.ts`; the notices of what went in.
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { build, type RolldownOutput } from 'rolldown'
import { defineConfig } from 'tsup'
import { licenceNotices, type Metafile } from './packaging/licences.ts'
import bundle from './rolldown.config.ts'

const METAFILE = 'dist/metafile-esm.json'

export default defineConfig({
  entry: {
    'code-worker': 'src/tools/code/worker.ts',
    'markdown-worker': 'src/tools/web/markdown-worker.ts',
  },
  onSuccess: async () => {
    const { outputs: workers } = JSON.parse(await readFile(METAFILE, 'utf8')) as Metafile
    const metafile = { outputs: { ...workers, ...outputsOf(await build(bundle)) } }
    await writeFile(METAFILE, JSON.stringify(metafile))
    // The WebAssembly of Code Mode lies beside the chunks.
    await copyFile('node_modules/quickjs-wasi/quickjs.wasm', 'dist/quickjs.wasm')
    await writeFile('dist/THIRD-PARTY-LICENSES.txt', await licenceNotices(metafile, '.'))
  },
  // What went into the bundle: for the notices, and for the test that they are complete.
  metafile: true,
  format: 'esm',
  target: 'node22',
  platform: 'node',
  splitting: false,
  // Types are emitted behind the bundle, and outlive a bundle that is made alone.
  clean: ['!types/**'],
  minify: true,
  dts: false,
  noExternal: [/.*/],
  // CommonJS dependencies inside an ES module bundle still call `require` for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
})

/** What esbuild's metafile would say. */
function outputsOf({ output }: RolldownOutput): Metafile['outputs'] {
  const chunks = output.filter((one) => one.type === 'chunk')
  return Object.fromEntries(
    chunks.map(({ fileName, modules, imports, dynamicImports }) => {
      const inputs = Object.entries(modules).map(([path, { renderedLength }]) => [
        relative('.', path).replaceAll('\\', '/'),
        { bytesInOutput: renderedLength },
      ])
      const kinds = [
        ...imports.map((path) => ({ path: `dist/${path}`, kind: 'import-statement' })),
        ...dynamicImports.map((path) => ({ path: `dist/${path}`, kind: 'dynamic-import' })),
      ]
      return [`dist/${fileName}`, { inputs: Object.fromEntries(inputs), imports: kinds }]
    }),
  )
}
