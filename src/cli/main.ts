#!/usr/bin/env node
/**
 * The command `food-lookup`. Other users of the machine see the command line of a process, but not its environment. So this
 * file first hides a password there, even before it loads its libraries.
 */
if (process.argv.some((argument) => /@|postgres/i.test(argument))) process.title = 'food-lookup';

await import('./program.ts');
