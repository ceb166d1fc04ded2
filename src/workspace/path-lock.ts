// One change of a file at a time, in the order of arrival, across all sessions of this process.

const tails = new Map<string, Promise<unknown>>()

/** Runs `change` when all earlier changes of `path` (a real path) have settled. */
export async function withPathLock<T>(path: string, change: () => Promise<T>): Promise<T> {
  const before = tails.get(path) ?? Promise.resolve()
  const run = before.then(change, change)
  const tail = run.then(
    () => undefined,
    () => undefined,
  )
  tails.set(path, tail)
  try {
    return await run
  } finally {
    if (tails.get(path) === tail) tails.delete(path)
  }
}

/** The same for two paths at once; never waits in a circle. */
export async function withPathLocks<T>(
  paths: readonly [string, string],
  change: () => Promise<T>,
): Promise<T> {
  const [first, second] = paths.toSorted()
  if (first === undefined || second === undefined || first === second) return withPathLock(paths[0], change)
  return withPathLock(first, () => withPathLock(second, change))
}
