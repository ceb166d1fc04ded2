// What a command gets from the process it runs in. `main.ts` makes the real one, tests make their own.
export interface Host {
  /** The package's folder, absolute. */
  readonly root: string
  readonly version: string
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}
