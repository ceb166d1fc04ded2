// The workspace of a session: its directories, and the ports through which tools touch the world.
import { resolve } from 'node:path'
import { createFileSystem, type FileSystem } from './file-system.ts'
import { nativePath } from './native-path.ts'
import { createObservations, type Observations } from './observations.ts'
import { createOutputFiles, type OutputFiles } from './output-files.ts'
import { createRipgrep } from './ripgrep.ts'
import type { Search } from './search.ts'
import { createShell, type Shell, type ShellOptions } from './shell.ts'
import { createTasks, type Tasks } from './tasks.ts'

export interface Workspace {
  /** Absolute. */
  readonly cwd: string
  /** Absolute: cwd first, then additional directories. */
  readonly roots: readonly string[]
  readonly files: FileSystem
  readonly shell: Shell
  readonly search: Search
  readonly observations: Observations
  /** Background commands. */
  readonly tasks: Tasks
  /** Files of output that is too long for the conversation. */
  readonly outputs: OutputFiles
  /** Absolute form of a path; relative ones start at cwd. Nothing is expanded: `~`, `*`, `%20` are literal. */
  resolve(path: string): string
  /** Ends every command and task, and removes what is temporary. */
  dispose(): Promise<void>
}

export interface WorkspaceInit extends ShellOptions {
  cwd: string
  /** In place of this machine's file system alone: an editor's, which knows unsaved buffers. */
  files?: FileSystem
  /** Keeps files of output beyond this process; else they are temporary, and removed by `dispose`. */
  outputDirectory?: string
  /** Defaults to cwd alone. */
  roots?: readonly string[]
}

export function createWorkspace({
  cwd,
  roots = [cwd],
  files = createFileSystem(),
  outputDirectory,
  ...options
}: WorkspaceInit): Workspace {
  const base = resolve(cwd)
  const shell = createShell(options)
  const outputs = createOutputFiles(outputDirectory)
  const tasks = createTasks(shell, outputs)
  return {
    cwd: base,
    roots: roots.map((root) => resolve(base, root)),
    files,
    shell,
    search: createRipgrep(base),
    observations: createObservations(),
    tasks,
    outputs,
    resolve: (path) => resolve(base, nativePath(path)),
    async dispose() {
      // Tasks first, so that their end counts as wanted; the shell then shortens their time.
      await Promise.all([tasks.dispose(), shell.dispose()])
      await options.sandbox?.dispose()
      await outputs.dispose()
    },
  }
}
