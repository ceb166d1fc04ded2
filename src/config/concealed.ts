// Values that must not appear in what this process writes about itself.

/** What is shown in place of a concealed value. */
export const HIDDEN = '[hidden]'

/** Shorter ones would blot out ordinary words, and protect nobody. */
const SHORTEST = 6

const concealed = new Set<string>()

/** Names of variables and headers that hold no credential: their values appear in honest sentences. */
const ORDINARY =
  /^(PATH|HOME|USERPROFILE|PWD|USER|USERNAME|SHELL|TERM|LANG|LC_\w+|TMPDIR|TEMP|TMP|XDG_\w+|NODE_ENV|NODE_PATH|Accept|Content-Type|User-Agent)$/i

const CREDENTIAL =
  /(^|[_-])(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH|AUTHORIZATION)([_-]|$)/i

/** From now on the value is hidden wherever `withoutSecrets` is used. */
export function conceal(value: string): void {
  if (value.length >= SHORTEST) concealed.add(value)
}

/** Of variables or headers that are somebody's own: all values but those of ordinary names. */
export function concealAll(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && !ORDINARY.test(name)) conceal(value)
}

/** Of the environment, which is mostly ordinary: the values whose names say that they are credentials. */
export function concealCredentials(env: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && CREDENTIAL.test(name)) conceal(value.trim())
}

/** The text without concealed values, and without what has the form of a credential. */
export function withoutSecrets(text: string): string {
  let out = text
  // The longest first: one may be a part of another.
  for (const value of [...concealed].toSorted((a, b) => b.length - a.length))
    if (out.includes(value)) out = out.replaceAll(value, HIDDEN)
  return out
    .replace(
      /\b((?:proxy-)?authorization|x-api-key|x-goog-api-key|api-key|(?:set-)?cookie)(['"]?\s*[:=]\s*['"]?)[^'"\n,}\]]+/gi,
      `$1$2${HIDDEN}`,
    )
    .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`)
    .replace(/\b(sk|pk|gsk|xai|ghp|gho|glpat|xox[bp])[-_][\w-]{12,}/g, HIDDEN)
    .replace(/\bAIza[\w-]{20,}/g, HIDDEN)
    .replace(/([?&](?:[\w-]{0,40}(?:key|token|secret|password|signature|code))=)[^&\s'"]+/gi, `$1${HIDDEN}`)
    .replace(/(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^/@\s'"]+@/gi, `$1${HIDDEN}@`)
}
