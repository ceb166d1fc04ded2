// Each benchmark runs and yields figures. What they say is for `npm run bench`, on a machine that does nothing else.
import { expect, it } from 'vitest'
import { BENCHMARKS, isBenchmark, runBenchmark } from '../../bench/benchmarks.ts'
import { type Figure, isMet, median, ratioOf } from '../../bench/figure.ts'
import { report, table } from '../../bench/report.ts'

const NAMES = Object.keys(BENCHMARKS).filter(isBenchmark)

it.concurrent.each(NAMES)('%s runs', { timeout: 120_000 }, async (name) => {
  const figures = await runBenchmark(name, 'short')
  expect(figures).not.toEqual([])
  for (const { values, baseline } of figures) {
    const all = [...values, ...(baseline?.values ?? [])]
    expect(values).not.toEqual([])
    expect(all.filter(Number.isFinite)).toEqual(all)
  }
  expect(new Set(figures.map((figure) => figure.name)).size).toBe(figures.length)
})

const figure: Figure = {
  name: 'a thing',
  unit: 'ms',
  values: [30, 10, 20, 1000],
  baseline: { name: 'the floor', values: [20, 10] },
  aim: { of: 'ratio', most: 1.5 },
}

it('takes medians, and ratios to those of the baseline', () => {
  expect(median(figure.values)).toBe(25)
  expect(ratioOf(figure)).toBeCloseTo(25 / 15)
  expect(isMet(figure)).toBe(false)
  expect(isMet({ ...figure, aim: { of: 'median', most: 25 } })).toBe(true)
  expect(isMet({ ...figure, aim: { of: 'median', least: 26 } })).toBe(false)
})

it('writes a row for each, and the versions', () => {
  const runs = new Map([['bench', [figure]]])
  expect(table(runs)).toContain(
    '| bench | a thing | 25 ms | 17.5 – 273 | the floor: 15 ms | 1.67 | ≤ × 1.5 | **no** |',
  )
  expect(report(runs)).toMatch(/Deckhand \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, @agentclientprotocol\/sdk \d/)
})
