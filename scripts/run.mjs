/** Runs a TypeScript file of the project on every supported Node.js: `node scripts/run.mjs scripts/dev.ts`. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import './typescript.mjs';

const [, , file] = process.argv;
if (file === undefined) throw new Error('which file?');
await import(pathToFileURL(resolve(file)).href);
