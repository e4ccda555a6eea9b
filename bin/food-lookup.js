#!/usr/bin/env node
/**
 * The command `food-lookup`. It exists before the first build of a clone, because `npx` remembers a command that it did not
 * find, and runs on any Node.js, to report one that is too old.
 */
import { existsSync, readFileSync } from 'node:fs';

const main = new URL('../dist/service/cli/main.js', import.meta.url);
/** Of what a command needs, the build writes it last. */
const foods = new URL('../dist/starter-foods.idx', import.meta.url);
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const needed = engines.node.replace('>=', '');
const { node } = process.versions;

if (node.localeCompare(needed, 'en', { numeric: true }) < 0) {
  console.error(
    `food-lookup: it needs Node.js ${needed} or newer, and this is ${node} (${process.execPath}).`,
  );
  process.exitCode = 1;
} else if (!existsSync(foods)) {
  console.error('food-lookup: it is not built yet. Run "npm run build", then the command again.');
  process.exitCode = 1;
} else await import(main.href);
