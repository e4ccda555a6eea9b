/** Runs a TypeScript file of the project on every supported Node.js: `node scripts/run.mjs scripts/dev.ts`. */
import { runnerImport } from 'vite';

const [, , file] = process.argv;
if (file === undefined) throw new Error('which file?');
await runnerImport(`${process.cwd()}/${file}`, { logLevel: 'warn', configFile: false });
