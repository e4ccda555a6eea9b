#!/usr/bin/env node
/**
 * The command `food-lookup`. In a clone it is there before the first build: `npx` remembers a command that it did not find.
 */
import { existsSync } from 'node:fs';

const main = new URL('../dist/cli/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error('food-lookup: it is not built yet. Run "npm run build", then the command again.');
  process.exitCode = 1;
}
