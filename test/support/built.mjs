/** Builds the program in a fresh clone, because some tests run it. */
import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export function setup() {
  if (existsSync('dist/cli/main.js')) return;
  process.stderr.write('dist/cli/main.js is missing: npm run build\n');
  execSync('npm run build', { stdio: 'inherit' });
}
