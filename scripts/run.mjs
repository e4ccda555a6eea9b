/** Runs a TypeScript file of the project on every Node.js that it supports: `node scripts/run.mjs scripts/dev.ts`. */
import { runnerImport } from 'vite';

const [, , file] = process.argv;
if (file === undefined) throw new Error('which file?');
await runnerImport(`${process.cwd()}/${file}`, { logLevel: 'warn', configFile: false });
