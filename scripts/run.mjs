/** Runs a TypeScript file of the project on every supported Node.js: `node scripts/run.mjs scripts/dev.ts`. */
import { runnerImport } from 'vite';

const [, , file] = process.argv;
if (file === undefined) throw new Error('which file?');

// Vite sets NODE_ENV, which the programs that a script starts would inherit: they would serve no page, or build a larger one.
const { NODE_ENV } = process.env;
const environment = {
  name: 'environment-as-given',
  configResolved: () => void (NODE_ENV === undefined && delete process.env.NODE_ENV),
};
await runnerImport(`${process.cwd()}/${file}`, {
  logLevel: 'warn',
  configFile: false,
  plugins: [environment],
});
