// How deep JSON nests: beyond a limit, whoever walks it by recursion, `JSON.stringify` too, overflows the stack.

/** Whether more than `levels` containers stand in each other. Total for `levels` of some thousands. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return inner.some((entry) => isDeeper(entry, levels - 1))
}

/** The same of JSON text, or the beginning of one, before anything parses it. */
export function textIsDeeper(text: string, levels: number): boolean {
  let [open, quoted] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else quoted = char !== '"'
    } else if (char === '"') quoted = true
    else if (char === '[' || char === '{') {
      if (++open > levels) return true
    } else if (char === ']' || char === '}') open--
  }
  return false
}
