/**
 * Runs the built command several times in this process, one after the other, each as in its own process: it loads the program
 * again, but not the libraries.
 */
class Exit extends Error {}
process.exit = (code = process.exitCode) => {
  process.exitCode = code;
  throw new Exit();
};
process.once('disconnect', process.reallyExit);

const program = new URL('../../dist/service/cli/program.js', import.meta.url);
const streams = ['stdout', 'stderr'];
const kept = new Set(['message', 'disconnect', ...process.eventNames()]);
let lines = 0;

process.on('message', async ({ args, environment }) => {
  const written = { stdout: '', stderr: '' };
  for (const name of streams) {
    process[name].write = (chunk) => {
      written[name] += chunk;
      return true;
    };
  }
  const before = process.getActiveResourcesInfo().length;
  process.argv.splice(1, Number.POSITIVE_INFINITY, 'food-lookup', ...args);
  process.exitCode = 0;
  Object.assign(process.env, environment);
  try {
    await import(`${program}?${++lines}`);
    // Waits, like a process, until nothing keeps it alive.
    while (process.getActiveResourcesInfo().length > before)
      await new Promise((resolve) => setTimeout(resolve, 1));
  } catch (error) {
    if (!(error instanceof Exit)) written.stderr += error.stack;
  }
  for (const name in environment) delete process.env[name];
  for (const name of process.eventNames()) if (!kept.has(name)) process.removeAllListeners(name);
  for (const name of streams) process[name].removeAllListeners('error');
  process.send({ code: process.exitCode, ...written });
});
