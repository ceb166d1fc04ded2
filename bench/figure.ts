// What a benchmark yields: values, what they are measured against in the same run, and what is aimed at.

export interface Figure {
  /** What was measured, for people. */
  readonly name: string
  /** Of the values, such as `ms`; empty for a plain ratio. */
  readonly unit: string
  /** One for each round. */
  readonly values: readonly number[]
  /** Measured in the same run and unit. */
  readonly baseline?: { readonly name: string; readonly values: readonly number[] }
  readonly aim?: Aim
}

/** Of the median, or of its ratio to the baseline's: at most, or at least, this much. */
export interface Aim {
  readonly of: 'median' | 'ratio'
  readonly most?: number
  readonly least?: number
}

/** `short` runs all of it with tiny counts, to see that it runs: its figures mean nothing. */
export type Extent = 'full' | 'short'

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Interpolated between neighbours; `NaN` of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return below + (above - below) * (at - Math.floor(at))
}

/** The median's ratio to the baseline's; undefined without one. */
export function ratioOf({ values, baseline }: Figure): number | undefined {
  return baseline && median(values) / median(baseline.values)
}

/** Undefined where nothing is aimed at. */
export function isMet(figure: Figure): boolean | undefined {
  if (figure.aim === undefined) return undefined
  const { of, most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = figure.aim
  const reached = of === 'median' ? median(figure.values) : ratioOf(figure)
  return reached !== undefined && reached <= most && reached >= least
}

/** Milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Both in turns, so that a busy machine slows both. The first round warms what can be warm and is not counted. */
export async function inTurns(
  rounds: number,
  own: () => Promise<unknown>,
  reference: () => Promise<unknown>,
): Promise<{ own: number[]; reference: number[] }> {
  const times = { own: [] as number[], reference: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [ownMs, referenceMs] = [await timed(own), await timed(reference)]
    if (round === 0) continue
    times.own.push(ownMs)
    times.reference.push(referenceMs)
  }
  return times
}
