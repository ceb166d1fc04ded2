// The workspace of a session: its directories, and the ports through which tools touch the world.
import { resolve } from 'node:path'
import { createFileSystem, type FileSystem } from './file-system.ts'
import { createObservations, type Observations } from './observations.ts'
import { createRipgrep } from './ripgrep.ts'
import type { Search } from './search.ts'
import { createShell, type Shell, type ShellOptions } from './shell.ts'

export interface Workspace {
  /** Absolute. */
  readonly cwd: string
  /** Absolute: cwd first, then additional directories. */
  readonly roots: readonly string[]
  readonly files: FileSystem
  readonly shell: Shell
  readonly search: Search
  readonly observations: Observations
  /** Absolute form of a path; relative ones start at cwd. Nothing is expanded: `~`, `*`, `%20` are literal. */
  resolve(path: string): string
}

export interface WorkspaceInit extends ShellOptions {
  cwd: string
  /** Defaults to cwd alone. */
  roots?: readonly string[]
}

export function createWorkspace({ cwd, roots = [cwd], ...shell }: WorkspaceInit): Workspace {
  const base = resolve(cwd)
  return {
    cwd: base,
    roots: roots.map((root) => resolve(base, root)),
    files: createFileSystem(),
    shell: createShell(shell),
    search: createRipgrep(base),
    observations: createObservations(),
    resolve: (path) => resolve(base, path),
  }
}
