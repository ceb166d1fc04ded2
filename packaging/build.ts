// The whole build but the types: the bundles, modules before the library faces, and the notices of what went in.
import { copyFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { build, type OutputChunk } from 'rolldown'
import { boot, DIST, program, workers } from './bundles.ts'
import { licenceNotices, type Metafile } from './licences.ts'

await emptyDist()
const chunks: OutputChunk[] = []
for (const bundle of [program, boot, ...workers]) {
  const { output } = await build(bundle)
  chunks.push(...output.filter((one) => one.type === 'chunk'))
}
for (const { name, isEntry, exports } of chunks)
  if (isEntry && ['index', 'testing'].includes(name))
    await writeFile(join(DIST, `${name}.js`), faceOf(name, exports))
// The WebAssembly of Code Mode lies beside the chunks.
await copyFile('node_modules/quickjs-wasi/quickjs.wasm', join(DIST, 'quickjs.wasm'))
const metafile = metafileOf(chunks)
await writeFile(join(DIST, 'metafile.json'), JSON.stringify(metafile))
await writeFile(join(DIST, 'THIRD-PARTY-LICENSES.txt'), await licenceNotices(metafile, '.'))

/** Types are emitted behind the bundle, and outlive a bundle that is made alone. */
async function emptyDist(): Promise<void> {
  const names = await readdir(DIST).catch(() => [])
  await Promise.all(
    names.filter((name) => name !== 'types').map((name) => rm(join(DIST, name), { recursive: true })),
  )
}

/** An ordinary module with the exports of a CommonJS chunk. */
function faceOf(name: string, exports: readonly string[]): string {
  return [
    "import { createRequire } from 'node:module'",
    `export const { ${exports.join(', ')} } = createRequire(import.meta.url)('./${name}.cjs')`,
    '',
  ].join('\n')
}

/** What esbuild's metafile would say. */
function metafileOf(outputs: readonly OutputChunk[]): Metafile {
  return {
    outputs: Object.fromEntries(
      outputs.map(({ fileName, modules, imports, dynamicImports }) => {
        const inputs = Object.entries(modules).map(([path, { renderedLength }]) => [
          relative('.', path).replaceAll('\\', '/'),
          { bytesInOutput: renderedLength },
        ])
        const kinds = [
          ...imports.map((path) => ({ path: `${DIST}/${path}`, kind: 'import-statement' })),
          ...dynamicImports.map((path) => ({ path: `${DIST}/${path}`, kind: 'dynamic-import' })),
        ]
        return [`${DIST}/${fileName}`, { inputs: Object.fromEntries(inputs), imports: kinds }]
      }),
    ),
  }
}
