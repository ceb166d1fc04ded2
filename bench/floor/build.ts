// Bundles the floor agent as Deckhand itself is bundled: minified, lazy imports in chunks of their own.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Resolves with the path of the program. */
export async function buildFloor(outDir: string): Promise<string> {
  await build({
    config: false,
    silent: true,
    entry: { main: join(here, 'main.ts') },
    outDir,
    outExtension: () => ({ js: '.mjs' }),
    format: 'esm',
    target: 'node22',
    platform: 'node',
    splitting: true,
    minify: true,
    noExternal: [/.*/],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  })
  return join(outDir, 'main.mjs')
}
