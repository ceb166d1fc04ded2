#!/usr/bin/env node
// The launcher: checks Node's version before anything newer is parsed, then starts the bundle.
import { createRequire } from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `deckhand needs Node 22.18 or newer; this is Node ${process.versions.node} (${process.execPath})\n`,
  )
  process.exit(1)
}

const require = createRequire(import.meta.url)
try {
  require('../dist/boot.cjs').boot('main.cjs')
} catch (error) {
  // Of the loader, or of a chunk that it looks for.
  const missing = error?.code === 'MODULE_NOT_FOUND' ? error.message : error?.code === 'ENOENT' && error.path
  if (!/dist[\\/][\w-]+\.cjs/.test(missing || '')) throw error
  process.stderr.write('deckhand is not built: run `npm run build` in its directory first\n')
  process.exit(1)
}
