import fc from 'fast-check'
import { structuredPatch } from 'diff'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { diffCard } from '#cli/draw/diff.ts'
import { diffGroups } from '#cli/draw/diff-lines.ts'
import { canvasFor, depthOf, painter, type Canvas } from '#cli/draw/paint.ts'
import { optionForKey, permissionCard } from '#cli/draw/permission.ts'
import { beginProse, continueProse, endProse } from '#cli/draw/prose.ts'
import { freshTerminal, terminalBottom, terminalOutput, terminalTop } from '#cli/draw/terminal.ts'
import { clip, fit } from '#cli/draw/text.ts'
import { drawAsked, emptyTranscript } from '#cli/draw/transcript.ts'

const canvas: Canvas = { width: 44, paint: painter('none') }
/** Text that terminals are fond of breaking: wide characters, marks, escapes, long words, Markdown. */
const rough = fc
  .array(
    fc.constantFrom(
      'word',
      ' ',
      '\n',
      '`',
      '**',
      '- ',
      '1. ',
      '日本',
      'é',
      '👍🏽',
      '\u001b[31m',
      '\t',
      'x'.repeat(60),
      '```',
    ),
  )
  .map((parts) => parts.join(''))
const pieces = (text: string, cuts: number[]): string[] => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length))
}

function prose(chunks: string[]): string {
  let [state, text] = beginProse(canvas, '●', 'accent', 'plain')
  for (const chunk of chunks) {
    const [next, more] = continueProse(canvas, state, chunk)
    state = next
    text += more
  }
  return text + endProse(canvas, state)
}

function terminal(chunks: string[]): string[] {
  let state = freshTerminal
  const lines: string[] = terminalTop(canvas, 'cmd')
  for (const chunk of chunks) {
    const [next, more] = terminalOutput(canvas, state, chunk)
    state = next
    lines.push(...more)
  }
  return [...lines, ...terminalBottom(canvas, state, { exitCode: 0 })]
}

describe('streams', () => {
  it('draw the same text however it was cut', () => {
    fc.assert(
      fc.property(rough, fc.array(fc.nat()), (text, cuts) => {
        expect(prose(pieces(text, cuts))).toBe(prose([text]))
      }),
    )
  })

  it('draw the same output however it was cut', () => {
    fc.assert(
      fc.property(rough, fc.array(fc.nat()), (text, cuts) => {
        expect(terminal(pieces(text, cuts))).toEqual(terminal([text]))
      }),
    )
  })

  it('count the output that is left out', () => {
    const lines = terminal([Array.from({ length: 50 }, (_, index) => `${index}\n`).join('')])
    expect(lines.at(-2)).toContain('31 more lines')
  })

  it.each([
    [{ exitCode: 0 }, '✔ exit 0'],
    [{ exitCode: 7 }, '✖ exit 7'],
    [{ exitCode: null, signal: 'SIGTERM' }, '✖ killed by SIGTERM'],
    [{ exitCode: null, signal: null }, '✖ did not finish'],
  ])('end with the status %o', (exit, status) => {
    expect(terminalBottom(canvas, freshTerminal, exit).at(-1)).toContain(status)
  })
})

describe('columns', () => {
  it('are filled exactly', () => {
    fc.assert(
      fc.property(rough, fc.integer({ min: 2, max: 50 }), (text, width) => {
        const line = text.replaceAll(/[\n\t\u001b]/g, '')
        expect(stringWidth(fit(line, width))).toBe(width)
        expect(stringWidth(clip(line, width))).toBeLessThanOrEqual(width)
      }),
    )
  })
})

describe('diffs', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { minLength: 1, maxLength: 60 })

  it('number their lines as the files do', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const [oldText, newText] = [
          before.map((line, at) => `${line}${at}\n`),
          after.map((line, at) => `${line}${at}\n`),
        ]
        const { hunks } = structuredPatch('', '', oldText.join(''), newText.join(''), '', '', { context: 3 })
        // One hunk at a time: how several hunks are joined into one text is the agent's business.
        for (const hunk of hunks) {
          const side = (mark: string) =>
            hunk.lines.filter((line) => ' '.includes(line[0] ?? '') || line[0] === mark)
          const text = (mark: string) =>
            side(mark)
              .map((line) => `${line.slice(1)}\n`)
              .join('')
          const first = hunk.lines.findIndex((line) => line[0] !== ' ')
          const groups = diffGroups({ path: 'f', oldText: text('-'), newText: text('+') }, [
            hunk.newStart + first,
          ])
          for (const line of groups.flat()) {
            if (line.mark === '+') expect(newText[(line.number ?? 0) - 1]).toBe(`${line.text}\n`)
          }
        }
      }),
    )
  })

  it('number several hunks by their places', () => {
    const numbers = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
    const joined = (change: (line: string, at: number) => string) =>
      numbers
        .map(change)
        .filter((_, at) => (at >= 1 && at < 8) || (at >= 26 && at < 33))
        .join('\n')
    const oldText = joined((line) => line)
    const newText = joined((line, at) => (at === 4 || at === 29 ? `${line}!` : line))
    const groups = diffGroups({ path: 'f', oldText, newText }, [5, 30])
    expect(groups.map((group) => group.find((line) => line.mark === '+'))).toEqual([
      { mark: '+', text: 'line 5!', number: 5 },
      { mark: '+', text: 'line 30!', number: 30 },
    ])
  })

  it('leave numbers out that nobody knows', () => {
    const [group = []] = diffGroups({ path: 'f', oldText: 'a\n', newText: 'b\n' }, [])
    expect(group.map((line) => line.number)).toEqual([undefined, undefined])
  })

  it('show whole lines, however narrow the terminal is', () => {
    const word = fc.constantFrom('alpha', 'be ta', '日本語', 'x'.repeat(70), '  ')
    const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join('-'))
    fc.assert(
      fc.property(line, line, (before, after) => {
        const diffs = [{ path: '/f', oldText: `${before}\n`, newText: `${after}!\n` }]
        const card = { title: 'Edit f', diffs, locations: [], status: '', statusStyle: 'dim' as const }
        const rows = diffCard(canvas, card).slice(1, -1)
        expect(rows.filter((row) => stringWidth(row) !== canvas.width)).toEqual([])
        const shown = rows.join('').replaceAll(/[│↳\s]/g, '')
        expect(shown).toBe(`-${before}+${after}!`.replaceAll(/\s/g, ''))
      }),
    )
  })

  it('leave nothing out while somebody decides, and cut what is over', () => {
    const newText = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join('')
    const card = { title: 'Write f', diffs: [{ path: '/f', newText }], locations: [], status: '' }
    const drawn = (whole: boolean) => diffCard(canvas, { ...card, statusStyle: 'dim', whole }).join('\n')
    expect(drawn(true)).toContain('line 199')
    expect(drawn(false)).toContain('140 more lines')
  })

  it('count what is added and removed', () => {
    const diffs = [{ path: '/f', oldText: 'a\nb\n', newText: 'a\nc\nd\n' }]
    const [heading] = diffCard(canvas, {
      title: 'Edit f',
      diffs,
      locations: [],
      status: '',
      statusStyle: 'dim',
    })
    expect(heading).toContain('+2 −1')
  })
})

describe('permission', () => {
  const options = [
    { optionId: 'allow-once', name: 'Allow', kind: 'allow_once' as const },
    {
      optionId: 'allow-always',
      name: 'Always allow `npm test` in this project',
      kind: 'allow_always' as const,
    },
    { optionId: 'reject-once', name: 'Reject', kind: 'reject_once' as const },
  ]

  it('is a card', async () => {
    const open = permissionCard(canvas, { text: '$ npm test', options, chosen: 1 })
    const answered = permissionCard(canvas, { text: '$ npm test', options, chosen: 2, answered: '✔ Reject' })
    const file = join(import.meta.dirname, 'snapshots', 'permission.txt')
    await expect([...open, ...answered, ''].join('\n')).toMatchFileSnapshot(file)
  })

  it.each([
    ['rm -rf ~ # \rls', 'rm -rf ~ # ␍ls'],
    ['echo \u001b]0;; rm -rf ~\u0007', 'echo ␛]0;; rm -rf ~␇'],
    ['echo \u202e; ~ fr- mr', 'echo <202e>; ~ fr- mr'],
  ])('hides nothing of %j, in the question and above it', (command, seen) => {
    const question = permissionCard(canvas, { text: `$ ${command}`, options, chosen: 0 }).join('\n')
    expect(question).toContain(`$ ${seen}`)
    expect(terminalTop(canvas, command).join('\n')).toContain(`$ ${seen}`)
    const text = `\`\`\`sh\n${command}\n\`\`\``
    const content = [{ type: 'content' as const, content: { type: 'text' as const, text } }]
    const asked = { toolCallId: 'c', title: command, kind: 'fetch' as const, content }
    const [, card] = drawAsked(canvas, emptyTranscript, asked)
    expect(card).toContain(`│ ${seen}`)
    expect(card).toContain(`⇣ ${seen}`)
    const diff = { path: 'a', oldText: null, newText: command }
    expect(diffGroups(diff, [1])[0]?.[0]?.text).toBe(seen)
  })

  it('knows its keys', () => {
    expect(['y', 'a', 'n', 'q'].map((key) => optionForKey(options, key))).toEqual([0, 1, 2, -1])
  })
})

describe('colours', () => {
  const terminalStream = { isTTY: true, columns: 120 }

  it.each([
    [terminalStream, { TERM: 'xterm', COLORTERM: 'truecolor' }, 'full'],
    [terminalStream, { TERM: 'xterm' }, 'basic'],
    [terminalStream, { TERM: 'xterm', COLORTERM: 'truecolor', NO_COLOR: '1' }, 'none'],
    [terminalStream, { TERM: 'dumb' }, 'none'],
    [{}, { TERM: 'xterm', COLORTERM: 'truecolor' }, 'none'],
    [{}, { FORCE_COLOR: '3' }, 'full'],
  ])('are as many as the terminal has (%o, %o)', (stream, env, depth) => {
    expect(depthOf(stream, env)).toBe(depth)
  })

  it('come with a width between 40 and 100', () => {
    expect(canvasFor(terminalStream, {}).width).toBe(100)
    expect(canvasFor({ columns: 12 }, {}).width).toBe(40)
    expect(canvasFor({}, { COLUMNS: '66' }).width).toBe(66)
  })
})
