// `npm run fuzz`: the same fuzzers, for as long as it takes.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'test/fuzz/**/*.test.ts',
      'test/json/properties.test.ts',
      'test/policy/fuzz.test.ts',
      'test/policy/real-bash.test.ts',
    ],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 0,
    hookTimeout: 0,
    env: { FUZZ: 'long' },
  },
})
