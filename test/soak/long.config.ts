// `npm run soak`: three minutes, or SOAK_SECONDS.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/soak/**/*.test.ts'],
    pool: 'forks',
    disableConsoleIntercept: true,
    env: {
      SOAK_SECONDS: process.env['SOAK_SECONDS'] ?? '180',
      SOAK_SESSIONS: process.env['SOAK_SESSIONS'] ?? '20',
    },
  },
})
