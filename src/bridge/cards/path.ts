// Paths on cards: absolute on the wire, short in titles. Pure: the flavour follows the session's cwd, not the host.
import { posix, win32, type PlatformPath } from 'node:path'
import type { ToolCallLocation } from '@agentclientprotocol/sdk'
import type { FileLocation } from '#registry/view.ts'
import type { CardContext } from './card.ts'

type Place = Pick<CardContext, 'cwd' | 'roots'>

function flavour(cwd: string): PlatformPath {
  return !posix.isAbsolute(cwd) && win32.isAbsolute(cwd) ? win32 : posix
}

/** `path` as it is when absolute, otherwise resolved against `cwd`. */
export function absolutePath(path: string, cwd: string): string {
  const paths = flavour(cwd)
  return paths.isAbsolute(path) ? path : paths.resolve(cwd, path)
}

/** `path` relative to the root that holds it; `.` for a root; undefined outside, or when either is not absolute. */
export function insideRoots(path: string, place: Place): string | undefined {
  const paths = flavour(place.cwd)
  if (!paths.isAbsolute(path) || !paths.isAbsolute(place.cwd)) return undefined
  for (const root of [place.cwd, ...place.roots.flat()]) {
    if (!paths.isAbsolute(root)) continue
    const relative = paths.relative(root, path)
    if (relative === '') return '.'
    if (relative.split(paths.sep)[0] !== '..' && !paths.isAbsolute(relative)) return relative
  }
  return undefined
}

/** How a path is written on a card: short inside the workspace, otherwise as the tool wrote it. */
export function displayPath(path: string, place: Place): string {
  return insideRoots(absolutePath(path, place.cwd), place) ?? path
}

/** Locations for the wire: absolute, distinct; entries without a path are dropped. */
export function wireLocations(locations: readonly FileLocation[], cwd: string): ToolCallLocation[] {
  const seen = new Set<string>()
  return locations.flatMap((location) => {
    if (typeof location.path !== 'string' || location.path === '') return []
    const path = absolutePath(location.path, cwd)
    const line = Number.isInteger(location.line) && Number(location.line) > 0 ? location.line : undefined
    const key = `${line ?? ''}:${path}`
    if (seen.has(key)) return []
    seen.add(key)
    return [{ path, ...(line !== undefined && { line }) }]
  })
}
