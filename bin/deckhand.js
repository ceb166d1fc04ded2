#!/usr/bin/env node
// The launcher: checks Node's version before anything newer is parsed, turns the compile cache on, starts the bundle.
import { existsSync, mkdirSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname } from 'node:path'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `deckhand needs Node 22.18 or newer; this is Node ${process.versions.node} (${process.execPath})\n`,
  )
  process.exit(1)
}

/** The person's own: code is run from it, and the temporary directory belongs to all and is emptied. */
function cacheDirectory() {
  const { LOCALAPPDATA, XDG_CACHE_HOME, HOME } = process.env
  if (process.platform === 'win32') return LOCALAPPDATA && `${LOCALAPPDATA}\\deckhand\\Cache`
  if (XDG_CACHE_HOME?.startsWith('/')) return `${XDG_CACHE_HOME}/deckhand`
  if (!HOME?.startsWith('/')) return undefined
  return process.platform === 'darwin' ? `${HOME}/Library/Caches/deckhand` : `${HOME}/.cache/deckhand`
}

/** Whether it is there now. Made one by one: Node's own way goes round for ever where a parent takes no entries. */
function made(directory) {
  if (existsSync(directory)) return true
  try {
    if (!made(dirname(directory))) return false
    mkdirSync(directory, { mode: 0o700 })
  } catch {
    // Another process may have been faster.
  }
  return existsSync(directory)
}

// Where it can't be written, nothing is cached. NODE_COMPILE_CACHE has turned it on already; `--version` is not worth it.
const unwanted = process.env.NODE_COMPILE_CACHE || process.argv[2]?.startsWith('-')
const directory = unwanted ? undefined : cacheDirectory()
if (directory && made(directory)) nodeModule.enableCompileCache?.(directory)
try {
  await import('../dist/main.js')
} catch (error) {
  const bundle = new URL('../dist/', import.meta.url).href
  if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !error.url?.startsWith(bundle)) throw error
  process.stderr.write('deckhand is not built: run `npm run build` in its directory first\n')
  process.exit(1)
}
