#!/usr/bin/env node
/**
 * The command `food-lookup`: what cannot wait until its libraries are loaded. Other users of the machine see the command line of
 * a process, but not its environment, so this file first hides a password there.
 */
if (process.argv.some((argument) => /@|postgres/i.test(argument))) process.title = 'food-lookup';

const { LEAST_OPEN_FILES, maxOpenFiles, serviceSignals } = await import('../operations/process.ts');

// By default the signal would end the process. It may come while a service still loads its libraries.
if (process.argv[2] === 'serve') for (const signal of serviceSignals().reload) process.on(signal, () => {});

const limit = maxOpenFiles() ?? LEAST_OPEN_FILES;
if (limit >= LEAST_OPEN_FILES) await import('./program.ts');
else {
  process.exitCode = 1;
  process.stderr.write(
    `food-lookup: The limit of open files is ${limit}, and ${LEAST_OPEN_FILES} are needed. Raise it: ulimit -n 1024, or LimitNOFILE of systemd.\n`,
  );
}
