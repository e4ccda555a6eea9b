/**
 * Reads the command line of `food-lookup` and calls one of the commands beside this file.
 */
import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { systemCode, UserError, WRONG_USE, withoutPassword } from '../errors.ts';
import { printableLines } from '../printable.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import type { CheckCorsFlags } from './check-cors.ts';
import type { ImportFlags } from './import.ts';
import { inspect } from './inspect.ts';
import { print } from './print.ts';
import { search } from './search.ts';
import { serve } from './serve.ts';
import { verify } from './verify.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Help and parser read the same rows of the settings. */
function option(name: keyof Settings): Option {
  const { flag, placeholder, variable, help, absent } = SETTINGS[name];
  return new Option(`${flag} <${placeholder}>`, `${help} (${variable}; default: ${absent})`);
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

const program = new Command('food-lookup')
  .description('Food search for any web page: up to 100 foods whose description contains a text, best first.')
  .version(version, '-v, --version')
  .configureOutput({
    writeErr: (text) => process.stderr.write(printableLines(text)),
    // A flag or a command that is misspelt may carry an address.
    outputError: (text, write) => write(withoutPassword(text)),
  })
  .showHelpAfterError('Run with --help for all commands and flags.')
  .showSuggestionAfterError();

const serveCommand = program
  .command('serve')
  .description('answer GET /api/food?q=TEXT over HTTP; each setting is a flag or an environment variable')
  .action(serve);
for (const name of Object.keys(SETTINGS) as (keyof Settings)[]) serveCommand.addOption(option(name));

program
  .command('search')
  .description('print the foods whose description contains TEXT, figures per 100 g')
  .argument('<text>', 'what to look for; quote it where it has spaces')
  .addOption(option('foodData'))
  .addOption(new Option('--json', 'print the JSON of the HTTP answer').conflicts('explain'))
  .option('--explain', 'say why each food stands where it does')
  .action(search);

program
  .command('import')
  .description('make one index of data sets, in a file or in PostgreSQL, which the service opens at once')
  .argument(
    '<source...>',
    'files, folders, addresses, "-" for standard input, or names: usda:foundation, usda:sr-legacy, usda:survey, usda:branded, open-food-facts; of equal foods the first stays',
  )
  .requiredOption(
    '--to <target>',
    'index file to write, such as foods.idx, or postgres://user:password@host/database',
  )
  .option('--name <name>', 'name of the data set (default: those of the sources)')
  .option('--table <name>', 'table or view of SQLite sources (default: entries)')
  .option('--url <address>', 'another address for the one source that is given by name')
  .option('--sha256 <hash>', 'what the one downloaded file must be')
  .option('--complete-fat', 'put what the fatty acids lack to the total fat into the missing one')
  .option('--cache-folder <folder>', "where downloads are kept (default: the user's cache folder)")
  .option('--report <file>', 'write the report as JSON')
  .option('--strict', 'fail where a row is dropped or a figure left out')
  // Loaded when it is asked for: the service does not need what an import brings with it.
  .action(async (sources: string[], flags: ImportFlags) =>
    (await import('./import.ts')).importFoods(sources, flags),
  );

program
  .command('verify')
  .description('read every byte of an index file and say whether it is as it was written')
  .argument('<file>', 'an index file')
  .action(verify);

program
  .command('inspect')
  .description(
    'print what an index file or a database holds: name, date, sources, counts, how much is known, a sample',
  )
  .argument('<data>', 'an index file, or postgres://user:password@host/database')
  .option('--json', 'print it as JSON')
  .action(inspect);

program
  .command('check-cors')
  .description(
    'ask a service as the browser of a page would, and say whether the page may read the answer, why, and what to change',
  )
  .addHelpText(
    'after',
    '\nExit codes: 0 where the page may read, 1 where it may not or no answer comes, 2 where the command is used wrongly.',
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USE))
  .argument('<url>', 'the address that the page asks, such as http://localhost:3001/api/food?q=egg')
  .requiredOption('--origin <origin>', 'origin of the page, such as https://app.example, or null for a file')
  .option('--method <method>', 'method of the request; it is really sent', 'GET')
  .addOption(
    new Option('--header <name: value>', 'a header that the page sets; once for each')
      .argParser(collect)
      .default([], 'none'),
  )
  .option('--credentials', "as fetch with credentials: 'include'")
  .option('--timeout <seconds>', 'how long to wait for an answer', '10')
  .option('--json', 'print everything as JSON')
  .action(async (address: string, flags: CheckCorsFlags) =>
    (await import('./check-cors.ts')).checkCors(address, flags),
  );

// A reader such as `head` that closes early is no error.
process.stdout.on('error', (error) => {
  if (systemCode(error) !== 'EPIPE') throw error;
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  print([`food-lookup: ${error.message}`], process.stderr);
  process.exitCode = error.exitCode;
}
