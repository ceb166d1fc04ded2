// Arguments that fit the schema and still say nothing.

/** A violation for each text that is empty, by its name. */
export function emptyOnes(texts: Readonly<Record<string, string>>): string[] {
  return Object.keys(texts).flatMap((name) => (texts[name] === '' ? [`${name} must not be empty`] : []))
}
