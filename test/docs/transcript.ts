// A transcript of a terminal: commands behind `$ `, what they print below. `…` in it stands for whatever stood there.

export interface Exchange {
  command: string
  /** What the page says that it prints, stdout and stderr as they came. */
  printed: string
}

/** Throws when the first line is no command. */
export function exchangesOf(text: string): Exchange[] {
  const exchanges: Exchange[] = []
  for (const line of text.split('\n')) {
    const last = exchanges.at(-1)
    if (line.startsWith('$ ')) exchanges.push({ command: line.slice(2), printed: '' })
    else if (last === undefined) throw new Error(`a transcript begins with a command, not with ${line}`)
    else if (line.startsWith('> ') && last.printed === '') last.command += `\n${line.slice(2)}`
    else last.printed += `${line}\n`
  }
  return exchanges
}

const SEPARATOR = '\u001e'

/** One script that runs all commands in one shell, and marks where each one's output begins. */
export function scriptOf(exchanges: readonly Exchange[]): string {
  return ['exec 2>&1', ...exchanges.map(({ command }) => `printf '\\x1e'\n${command}`)].join('\n')
}

export function outputsOf(output: string): string[] {
  return output.split(SEPARATOR).slice(1)
}

/** A line `…` stands for any lines, one in a line for any text of the line. Blanks at the ends of lines don't count. */
export function matches(written: string, printed: string): boolean {
  const pattern = trimmed(written)
    .split('\n')
    .map((line) => (line.trim() === '…' ? ANY_LINES : line.split('…').map(RegExp.escape).join('.*')))
    .join('\n')
    .replaceAll(`\n${ANY_LINES}`, '(?:\\n[^]*)?')
    .replaceAll(`${ANY_LINES}\n`, '(?:[^]*\\n)?')
    .replaceAll(ANY_LINES, '[^]*')
  return new RegExp(`^${pattern}$`).test(trimmed(printed))
}

const ANY_LINES = '\u0000'

function trimmed(text: string): string {
  return text.replaceAll(/[ \t]+$/gm, '').trim()
}
