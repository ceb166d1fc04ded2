// How many runs a fuzzer makes and from which seed: few in `npm test`, many in `npm run fuzz`.
// FUZZ_RUNS sets the number of every fuzzer, FUZZ_SEED repeats a run.
import { randomInt } from 'node:crypto'

export interface Scale {
  seed: number
  numRuns: number
  /** Short runs are told at once; long ones are shrunk first. */
  endOnFailure: boolean
}

/** The seed is printed, so that what was found can be found again. */
export function scale(name: string, runs: { short: number; long: number }): Scale {
  const { FUZZ, FUZZ_RUNS, FUZZ_SEED } = process.env
  const long = FUZZ === 'long'
  const seed = FUZZ_SEED === undefined ? randomInt(2 ** 31) : Number(FUZZ_SEED)
  const numRuns = FUZZ_RUNS === undefined ? (long ? runs.long : runs.short) : Number(FUZZ_RUNS)
  console.log(`fuzz ${name}: seed ${seed}, ${numRuns} runs`)
  return { seed, numRuns, endOnFailure: !long }
}

export const LONG = process.env['FUZZ'] === 'long'
