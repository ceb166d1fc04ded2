// Migration: logs of older versions become logs of this one, step by step.

/** Lifts the text of a log from the version of the key to the next one. There has been only one version so far. */
export const MIGRATIONS: Readonly<Record<number, (text: string) => string>> = {}

export const CURRENT_VERSION = 1

/** Whether the log that begins like this is of a version before this one. */
export function isOld(text: string): boolean {
  const version = versionOf(text)
  return version !== undefined && version < CURRENT_VERSION
}

/** The text in the current version; `from` says which it was, when it was another. */
export function migrate(
  text: string,
  migrations: Readonly<Record<number, (text: string) => string>> = MIGRATIONS,
  current = CURRENT_VERSION,
): { text: string; from?: number } {
  const from = versionOf(text)
  if (from === undefined || from >= current) return { text }
  let lifted = text
  for (let version = from; version < current; version += 1) {
    const step = migrations[version]
    if (step === undefined) return { text }
    lifted = step(lifted)
  }
  return { text: lifted, from }
}

function versionOf(text: string): number | undefined {
  const [first = ''] = text.slice(0, 64 * 1024).split('\n', 1)
  const version = /"version":\s*(\d+)/.exec(first)?.[1]
  return version === undefined ? undefined : Number(version)
}
