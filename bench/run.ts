// `npm run bench`: runs all benchmarks and writes `docs/benchmarks.md`. With names or `--short` it only prints.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BENCHMARKS, isBenchmark, runBenchmark } from './benchmarks.ts'
import type { Figure } from './figure.ts'
import { report, table } from './report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false } },
})
const known = Object.keys(BENCHMARKS).filter(isBenchmark)
const unknown = positionals.filter((name) => !isBenchmark(name))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are ${known.join(', ')}\n`)
  process.exitCode = 2
} else {
  const chosen = known.filter((name) => positionals.length === 0 || positionals.includes(name))
  const runs = new Map<string, Figure[]>()
  for (const name of chosen) {
    process.stderr.write(`${name} …\n`)
    runs.set(name, await runBenchmark(name, values.short ? 'short' : 'full'))
  }
  process.stdout.write(`${table(runs)}\n`)
  if (chosen.length === known.length && !values.short) write(report(runs))
}

function write(text: string): void {
  const page = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))
  writeFileSync(page, text)
  execFileSync('oxfmt', [page], { stdio: 'inherit' })
}
