// The process of one benchmark: measures and hands the figures to its parent.
import { BENCHMARKS, isBenchmark } from './benchmarks.ts'

const [name = '', extent] = process.argv.slice(2)
if (!isBenchmark(name)) throw new Error(`no benchmark ${name}`)
const measure = await BENCHMARKS[name]()
const figures = await measure(extent === 'short' ? 'short' : 'full')
process.send?.(figures, () => process.exit(0))
