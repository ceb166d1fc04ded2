// Runs the benchmarks and prints one line for each.
import { measureStartup } from './startup.ts'

const startup = await measureStartup()
process.stdout.write(
  `startup: initialize after ${startup.initializeMs.toFixed(0)} ms, node -e 0 takes ${startup.bareMs.toFixed(0)} ms, ` +
    `ratio ${startup.ratio.toFixed(2)} (medians of ${startup.rounds})\n`,
)
