// Fenced code blocks that no text can break out of.

/** A Markdown fence around `text`, longer than the longest run of backticks inside. */
export function fence(text: string, lang = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const ticks = '`'.repeat(Math.max(3, longest + 1))
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${ticks}${lang.replaceAll(/[^\w+#.-]/g, '')}\n${text}${end}${ticks}`
}
