import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // The stories in a browser are a command of their own: npm run e2e.
    include: process.env['E2E'] ? ['test/e2e/**/*.test.ts'] : ['src/**/*.test.ts', 'test/!(e2e)/**/*.test.ts', 'test/*.test.ts'],
    globalSetup: ['test/support/database.ts'],
    // Tests share a server per worker and make a new business each: nothing to isolate, much to reuse.
    isolate: false,
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
