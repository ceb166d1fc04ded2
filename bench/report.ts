// The figures of a run as Markdown.
import { readFileSync } from 'node:fs'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Aim, type Figure, isMet, median, quantile, ratioOf } from './figure.ts'

const HEAD = `# Benchmarks

\`npm run bench\` runs all of \`bench/\` and writes this page; \`npm run bench -- agents\` prints one of them, \`--short\` only sees that they run.
Each row is the median of its rounds with the middle half of them, beside a baseline that is measured in the same run, in turns where the two can take turns.
Milliseconds depend on the machine, ratios hardly do.

The **floor** (\`bench/floor/\`) is an agent with nothing in it: the protocol's SDK, one call of the AI SDK, a tool that reads and one that asks and writes, no log, no policy, minified, with
the compile cache. Both agents live through the same: a client starts them, opens a session and prompts, a local endpoint answers at once.
`

/** The whole page. */
export function report(runs: ReadonlyMap<string, readonly Figure[]>): string {
  return `${HEAD}\n${circumstances()}\n\n${table(runs)}\n`
}

/** A row a figure; the first one of a benchmark names it. */
export function table(runs: ReadonlyMap<string, readonly Figure[]>): string {
  const rows = [...runs].flatMap(([name, figures]) =>
    figures.map((figure, index) => [index === 0 ? name : '', ...row(figure)]),
  )
  const head = ['benchmark', 'what', 'median', 'middle half', 'baseline', 'ratio', 'aim', 'met']
  const rule = head.map((_title, column) => (column === 2 || column === 5 ? '--:' : '---'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function row(figure: Figure): string[] {
  const { name, unit, values, baseline, aim } = figure
  const ratio = ratioOf(figure)
  const met = isMet(figure)
  return [
    name,
    amount(median(values), unit),
    values.length < 3 ? '' : `${digits(quantile(values, 0.25))} – ${digits(quantile(values, 0.75))}`,
    baseline === undefined ? '' : `${baseline.name}: ${amount(median(baseline.values), unit)}`,
    ratio === undefined ? '' : ratio.toFixed(2),
    aim === undefined ? '' : aimText(aim, unit),
    met === undefined ? '' : met ? 'yes' : '**no**',
  ]
}

function aimText({ of, most, least }: Aim, unit: string): string {
  const text = (value: number): string => (of === 'ratio' ? `× ${value}` : amount(value, unit))
  return most === undefined ? `≥ ${text(least ?? 0)}` : `≤ ${text(most)}`
}

function amount(value: number, unit: string): string {
  return `${digits(value)} ${unit}`
}

/** Three digits that count, and all of a whole number. */
function digits(value: number): string {
  const precision = Math.abs(value) < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 }
  return value.toLocaleString('en', precision)
}

function circumstances(): string {
  const version = (path: string): string => {
    const file = fileURLToPath(new URL(`../${path}package.json`, import.meta.url))
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  }
  const versions = ['@agentclientprotocol/sdk', 'ai'].map(
    (name) => `${name} ${version(`node_modules/${name}/`)}`,
  )
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()} ${arch()}`
  const day = new Date().toISOString().slice(0, 10)
  return `Measured on ${day} with Deckhand ${version('')}, Node ${process.versions.node}, ${versions.join(', ')}; ${machine}.`
}
