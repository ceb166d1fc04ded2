// Makes docs/demo.png: runs `deckhand demo` in colour and has a headless browser draw what it printed, cell by cell.
// Usage: npm run screenshot (needs chromium, found on PATH or named by CHROMIUM, and a monospaced font)
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { columnsOf } from '#cli/draw/text.ts'

const COLUMNS = 80
const CELL = { width: 8.4, height: 19 }
const MARGIN = 22
const GAP = 34
const COLOURS = { page: '#0d1117', text: '#d7dde4', bar: '#161b22', line: '#30363d' }

const root = fileURLToPath(new URL('..', import.meta.url))
const printed = execFileSync(process.execPath, [join(root, 'bin/deckhand.js'), 'demo', '--yes'], {
  env: { ...process.env, NO_COLOR: '', FORCE_COLOR: '3', COLUMNS: String(COLUMNS) },
  encoding: 'utf8',
})

interface Look {
  colour?: string
  background?: string
  bold?: boolean
  italic?: boolean
}

/** A line as spans that stand at their columns. */
function spans(line: string): string {
  let look: Look = {}
  let column = 0
  let html = ''
  for (const piece of line.split(/(\u001b\[[\d;]*m)/)) {
    if (piece.startsWith('\u001b')) look = lookOf(piece.slice(2, -1))
    else if (piece !== '') {
      html += span(piece, column, look)
      column += columnsOf(piece)
    }
  }
  return html
}

function lookOf(code: string): Look {
  const look: Look = {}
  const numbers = code.split(';').map(Number)
  while (numbers.length > 0) {
    const number = numbers.shift()
    if (number === 1) look.bold = true
    if (number === 3) look.italic = true
    if (number !== 38 && number !== 48) continue
    const [, red, green, blue] = numbers.splice(0, 4)
    look[number === 38 ? 'colour' : 'background'] = `rgb(${red},${green},${blue})`
  }
  return look
}

function span(text: string, column: number, look: Look): string {
  const cells = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  const style = [
    `left:${column * CELL.width}px`,
    `width:${columnsOf(text) * CELL.width}px`,
    look.colour && `color:${look.colour}`,
    look.background && `background:${look.background}`,
    look.bold && 'font-weight:700',
    look.italic && 'font-style:italic',
  ]
  return `<span style="${style.filter(Boolean).join(';')}">${cells.map(cell).join('')}</span>`
}

/** Lines of a box are drawn, so that they meet whatever the font does; everything else is a glyph in a cell. */
function cell(text: string): string {
  const box = '─│╭╮╰╯'.includes(text) ? drawing(text) : undefined
  return `<b>${box ?? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</b>`
}

function drawing(text: string): string {
  const { width: w, height: h } = CELL
  const [x, y, r] = [w / 2, h / 2, 4]
  const paths: Record<string, string> = {
    '─': `M0 ${y}H${w}`,
    '│': `M${x} 0V${h}`,
    '╭': `M${x} ${h}V${y + r}Q${x} ${y} ${x + r} ${y}H${w}`,
    '╮': `M${x} ${h}V${y + r}Q${x} ${y} ${x - r} ${y}H0`,
    '╰': `M${x} 0V${y - r}Q${x} ${y} ${x + r} ${y}H${w}`,
    '╯': `M${x} 0V${y - r}Q${x} ${y} ${x - r} ${y}H0`,
  }
  return `<svg width="${w}" height="${h}"><path d="${paths[text]}" fill="none" stroke="currentColor" stroke-width="1.1"/></svg>`
}

/** The lines in two columns of about the same height, cut where a block ends. */
function halves(lines: string[]): [string[], string[]] {
  const middle = Math.ceil(lines.length / 2)
  const gaps = lines.flatMap((line, index) => (line === '' ? [index] : []))
  const cut = gaps.reduce((best, gap) => (Math.abs(gap - middle) < Math.abs(best - middle) ? gap : best), 0)
  return [lines.slice(0, cut), lines.slice(cut + 1)]
}

const columns = halves(printed.trim().split('\n'))
const rows = Math.max(...columns.map((column) => column.length))
const size = {
  width: Math.ceil(COLUMNS * CELL.width * 2 + GAP + 2 * MARGIN),
  height: Math.ceil(rows * CELL.height + 2 * MARGIN + 30),
}
const page = `<!doctype html><meta charset="utf-8"><style>
  body { margin: 0; background: ${COLOURS.page}; color: ${COLOURS.text}; font: 14px 'JetBrains Mono', 'DejaVu Sans Mono', monospace; }
  header { height: 30px; background: ${COLOURS.bar}; border-bottom: 1px solid ${COLOURS.line}; box-sizing: border-box; padding: 9px 14px; display: flex; gap: 8px; }
  header i { width: 11px; height: 11px; border-radius: 50%; }
  main { display: flex; gap: ${GAP}px; padding: ${MARGIN}px; }
  section { width: ${COLUMNS * CELL.width}px; }
  p { margin: 0; height: ${CELL.height}px; position: relative; }
  span { position: absolute; top: 0; height: ${CELL.height}px; display: flex; }
  b { font-weight: inherit; flex: none; width: ${CELL.width}px; height: ${CELL.height}px; line-height: ${CELL.height}px; text-align: center; white-space: pre; overflow: visible; font-variant-ligatures: none; }
  svg { display: block; }
</style>
<header><i style="background:#ff5f57"></i><i style="background:#febc2e"></i><i style="background:#28c840"></i></header>
<main>${columns.map((lines) => `<section>${lines.map((line) => `<p>${spans(line)}</p>`).join('')}</section>`).join('')}</main>`

const folder = mkdtempSync(join(tmpdir(), 'deckhand-screenshot-'))
try {
  writeFileSync(join(folder, 'demo.html'), page)
  execFileSync(
    process.env['CHROMIUM'] ?? 'chromium',
    [
      '--headless',
      '--no-sandbox',
      '--hide-scrollbars',
      '--force-device-scale-factor=2',
      `--user-data-dir=${join(folder, 'profile')}`,
      `--window-size=${size.width},${size.height}`,
      `--screenshot=${join(root, 'docs/demo.png')}`,
      join(folder, 'demo.html'),
    ],
    { stdio: 'ignore' },
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`docs/demo.png: ${size.width}×${size.height}, ${rows} rows\n`)
