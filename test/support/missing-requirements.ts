/** Ends the output of a run with what was missing for the skipped tests, which the usual output does not name. */
import type { Reporter, TestModule } from 'vitest/node';

export class MissingRequirements implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = new Map<string, number>();
    for (const suite of modules.flatMap(({ children }) => [...children.allSuites()])) {
      const [, what] = /\(skipped; missing: (.*)\)$/.exec(suite.name) ?? [];
      if (what !== undefined)
        skipped.set(what, (skipped.get(what) ?? 0) + [...suite.children.allTests()].length);
    }
    for (const [what, tests] of skipped) console.log(`Missing: ${what}. Tests skipped: ${tests}.`);
  }
}
