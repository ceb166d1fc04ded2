// What the model reads of a grep.
import { assertNever } from '#registry/view.ts'
import type { GrepArgs, GrepValue } from './grep-value.ts'
import { countLine, leftOut } from './scope.ts'
import type { GrepFile } from './tally.ts'

export function grepText(args: GrepArgs, value: GrepValue): string {
  if (value.total === 0 && !value.atLeast)
    return `No matches. ${leftOut(args.include_ignored === true, 'contents')}`
  return [body(value), footer(value)].filter((part) => part !== '').join('\n\n')
}

function body(value: GrepValue): string {
  switch (value.output) {
    case 'matches':
      return value.files.map(fileText).join('\n\n')
    case 'files':
      return value.paths.join('\n')
    case 'count':
      return value.counts.map(({ path, count }) => `${path}: ${count}`).join('\n')
    default:
      return assertNever(value)
  }
}

function footer(value: GrepValue): string {
  switch (value.output) {
    case 'matches': {
      const shown = value.files.flatMap(({ matches }) => matches).filter(({ context }) => !context).length
      return countLine(shown, value.offset, value, 'match')
    }
    case 'files':
      return countLine(value.paths.length, value.offset, value, 'file')
    case 'count':
      return `${countLine(value.counts.length, value.offset, value, 'file')} [${value.matches} matches in all]`
    default:
      return assertNever(value)
  }
}

/** As ripgrep prints: `12:` a match, `13-` a line beside one, `--` a gap. */
function fileText({ path, matches }: GrepFile): string {
  const hasContext = matches.some(({ context }) => context)
  let next = 0
  const lines = matches.flatMap(({ lineNumber, line, context }) => {
    const gap = hasContext && next > 0 && lineNumber > next ? ['--'] : []
    const rows = line.split('\n')
    next = lineNumber + rows.length
    return [...gap, ...rows.map((row, at) => `${lineNumber + at}${context ? '-' : ':'}${row}`)]
  })
  return [path, ...lines].join('\n')
}
