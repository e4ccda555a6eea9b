import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes soon, or late where other tests have the processor.
    expect: { poll: { timeout: 20_000 } },
    // Two cores: browser, servers and property tests side by side would only wait for one another.
    maxWorkers: 2,
  },
});
