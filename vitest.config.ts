// Units, scenarios over the built bin, and the house rules that lint can't hold. `#*` imports resolve by package.json.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Most tests wait for processes: more of them than cores keep the cores busy.
    maxWorkers: 4,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env['VITEST_JSON'] ? ['default', 'json'] : ['default'],
    ...(process.env['VITEST_JSON'] ? { outputFile: { json: process.env['VITEST_JSON'] } } : {}),
  },
})
