#!/usr/bin/env node
// The launcher: checks Node's version before anything newer is parsed, turns the compile cache on, starts the bundle.
import * as nodeModule from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `deckhand needs Node 22.18 or newer; this is Node ${process.versions.node} (${process.execPath})\n`,
  )
  process.exit(1)
}

nodeModule.enableCompileCache?.()
try {
  await import('../dist/main.js')
} catch (error) {
  const bundle = new URL('../dist/', import.meta.url).href
  if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !error.url?.startsWith(bundle)) throw error
  process.stderr.write('deckhand is not built: run `npm run build` in its directory first\n')
  process.exit(1)
}
