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
await import('../dist/main.js')
