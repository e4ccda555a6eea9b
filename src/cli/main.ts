#!/usr/bin/env node
/**
 * The command `food-lookup`. Other users of the machine see the command line of a process, but not its environment: so
 * a password in it is hidden first, before the libraries of the command are even read.
 */
if (process.argv.some((argument) => /@|postgres/i.test(argument))) process.title = 'food-lookup';

await import('./program.ts');
