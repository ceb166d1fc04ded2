// Bundles the floor agent as Deckhand itself is bundled: minified, lazy imports in chunks of their own.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Resolves with the path of the program. */
export async function buildFloor(outDir: string): Promise<string> {
  await build({
    input: { main: join(here, 'main.ts') },
    platform: 'node',
    transform: { target: 'node22' },
    output: {
      dir: outDir,
      format: 'esm',
      minify: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    },
  })
  return join(outDir, 'main.mjs')
}
