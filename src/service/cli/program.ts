/**
 * Parses the command line of `food-lookup` and runs one of the commands. Each command is loaded only when it runs, since
 * none needs the libraries of the others.
 */
import { inspect as inspectError } from 'node:util';
import { Command, Option } from 'commander';
import { flagOf, printableLines, systemCode, UserError, WRONG_USE, withoutPassword } from '#core';
import { version } from '../operations/process.ts';
import { type Flags, SETTING_NAMES, SETTINGS, type Settings, variableOf } from '../settings/settings.ts';
import type { AmountsFlags } from './amounts.ts';
import type { CheckCorsFlags } from './check-cors.ts';
import type { ImportFlags } from './import.ts';
import { print } from './print.ts';
import type { SearchFlags } from './search.ts';
import { reportFaults } from './serving/lifecycle.ts';

// `serve` replaces this as soon as it has a log.
reportFaults((error) => print(inspectError(error).split('\n'), process.stderr));

// A reader such as `head` that closes early is not an error, and a closed standard error must not end a service.
process.stdout.on('error', (error) => {
  if (systemCode(error) !== 'EPIPE') throw error;
  process.exit();
});
process.stderr.on('error', () => {});

/** The option of a setting: help and parser use the same rows. */
function option(name: keyof Settings): Option {
  const { placeholder, help, absent } = SETTINGS[name];
  return new Option(`${flagOf(name)} <${placeholder}>`, `${help} (${variableOf(name)}; default: ${absent})`);
}

/** Exit codes, and examples without the name of the program; the shells of all systems know double quotes. */
type Help = readonly [ok: string, failed: string, ...examples: string[]];

function withHelp(command: Command, [ok, failed, ...examples]: Help): Command {
  const lines = [
    '',
    'Examples:',
    ...examples.map((example) => `  food-lookup ${example}`),
    '',
    'Exit codes:',
    `  0  ${ok}`,
    `  1  ${failed}`,
    `  ${WRONG_USE}  the command line is wrong: an unknown flag, a missing argument, an invalid value`,
  ];
  return command.addHelpText('after', lines.join('\n'));
}

const repeated = (value: string, before: readonly string[]): string[] => [...before, value];

const AFTER_ERROR = 'Run with --help for all commands and flags.';

const program = new Command('food-lookup')
  .description('A self-hosted food search: up to 100 foods whose description contains a text, best first.')
  .version(version, '-v, --version')
  .configureOutput({
    writeErr: (text) => process.stderr.write(printableLines(text)),
    // A misspelt command or flag, which is quoted, may be an address or have one: '--food-dat=postgres://…'
    outputError: (text, write) =>
      write(
        text.replace(
          /'(--[\w-]+=)?(.*)'/s,
          (_, flag: string = '', value: string) => `'${flag}${withoutPassword(value)}'`,
        ),
      ),
  })
  .showHelpAfterError(AFTER_ERROR)
  .showSuggestionAfterError()
  // The commands inherit this.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USE));
withHelp(program, [
  'success',
  'failure, for the reason printed',
  'serve',
  'search "olive oil"',
  'import foods.csv --to foods.idx',
  'serve --help',
]);

const command = (name: string, description: string, ...help: Help): Command =>
  withHelp(program.command(name).description(description), help);

const serveCommand = command(
  'serve',
  'answer GET /api/food?q=TEXT over HTTP; each setting can be a flag or an environment variable',
  'ended by a signal',
  'cannot start, or ended by an unhandled error',
  'serve --port 8080 --allowed-origin https://app.example',
  'serve --food-data foods.xlsx',
  'serve --food-data foods.idx --log-requests requests',
).action(async (flags: Flags) => (await import('./serving/serve.ts')).serve(flags));
for (const name of SETTING_NAMES) serveCommand.addOption(option(name));

command(
  'search',
  'print the foods whose description contains TEXT, with figures per 100 g',
  'with or without a match',
  'the data set cannot be used',
  'search "olive oil"',
  'search "brown rice cooked" --words',
  'search Kartoffeln --language de',
  'search milk --explain',
  'search avocado --portions',
  'search "egg, whole" --nutrients',
  'search milk --json --food-data foods.idx',
)
  .argument('<text>', 'the text to find; quote it if it contains spaces')
  .addOption(option('foodData'))
  .addOption(new Option('--json', 'print the JSON of the HTTP answer').conflicts('explain'))
  .option('--explain', 'explain the rank of each food')
  .addOption(
    new Option('--portions', 'show the household portions of each food').conflicts(['json', 'explain']),
  )
  .addOption(
    new Option('--nutrients', 'show the other nutrients of each food').conflicts(['json', 'explain']),
  )
  .option('--words', 'take TEXT as words, in any order, unfinished or misspelt, as match=words does')
  .option('--language <tag>', 'search by words in a language such as de, and show the names in it')
  .addOption(option('otherNames'))
  .showHelpAfterError(`A text with spaces needs quotes: food-lookup search "olive oil". ${AFTER_ERROR}`)
  .action(async (text: string, flags: SearchFlags) => (await import('./search.ts')).search(text, flags));

command(
  'amounts',
  'print what the foods of a recipe or diary weigh and contain, a line each',
  'lines were read; standard error lists what was not understood',
  'the file or the data set cannot be used',
  'amounts pancakes.txt',
  'amounts pancakes.html --json',
  'amounts rezept.txt --language de',
  'amounts pancakes.cook --portions 4',
  'amounts pancakes.txt --json --food-data foods.idx',
)
  .argument(
    '[file]',
    'a recipe (Schema.org in HTML or JSON, Cooklang), a text with lines such as "2 x 400g tins tomatoes", or "-" for standard input',
    '-',
  )
  .addOption(option('foodData'))
  .option('--language <tag>', 'read the names of foods in a language such as de')
  .addOption(option('otherNames'))
  .option('--portions <number>', 'show one of so many portions, too (default: as the recipe says)')
  .option('--json', 'print the JSON of GET /amounts, and the Schema.org nutrition of a portion')
  .action(async (file: string, flags: AmountsFlags) => (await import('./amounts.ts')).amounts(file, flags));

const importCommand: Command = command(
  'import',
  'build one index from data sets, in a file or in PostgreSQL, ready for the service to open',
  'the new data set is in place',
  'nothing was changed',
  'import foods.xlsx --dry-run',
  'import foods.csv --to foods.idx',
  'import usda:foundation usda:sr-legacy foods.csv --to foods.idx --json',
  'import foods.csv --column kcal=Energy --per 30g --to foods.idx',
  'import FoodData_Central_csv.zip --to postgres://user:password@localhost/foods',
)
  .argument(
    '<source...>',
    'files, folders, addresses, "-" for standard input, or names: usda:foundation, usda:sr-legacy, usda:survey, usda:branded, open-food-facts; of equal foods, the first is kept',
  )
  .option(
    '--to <target>',
    'index file to write, such as foods.idx, or postgres://user:password@host/database',
  )
  .addOption(
    new Option(
      '--dry-run',
      'write nothing, but show what each column was read as, the first foods, and everything suspicious',
    ).conflicts('json'),
  )
  .option('--names <file>', 'CSV file of further names of the foods, with the columns food and name')
  .option('--name <name>', 'name of the data set (default: the names of the sources)')
  .option(
    '--source <text>',
    'origin of your own foods, such as "Smith\'s bakery"; inspect and the page show it',
  )
  .option('--licence <text>', 'licence of your own foods, such as "CC BY 4.0"')
  .option('--language <tag>', 'language of your own foods, such as de or pt-BR, for screen readers')
  .option(
    '--table <name>',
    'table or view of SQLite sources, sheet of workbooks (default: entries, or the one with foods)',
  )
  .addOption(
    new Option(
      '--column <field=heading>',
      'the column to read as a field of your own tables, such as kcal="Energy (kcal)" or kJ=Energy; may be repeated',
    )
      .argParser(repeated)
      .default([], 'by their headings'),
  )
  .option('--per <weight>', 'weight that the figures of your own tables are for, such as 30g (default: 100g)')
  .addOption(
    new Option(
      '--per-column <heading>',
      'column with the weight that the figures of each row are for',
    ).conflicts('per'),
  )
  .option('--encoding <name>', 'encoding of your own text files, such as windows-1252 (default: UTF-8)')
  .option('--url <address>', 'address to download from, if exactly one source is a name')
  .option('--sha256 <hash>', 'expected SHA-256 of the download, if there is exactly one')
  .option('--fat-from-acids', 'take the sum of the fatty acids for fat, even where total fat is stated')
  .option(
    '--no-nutrients',
    'leave out the codes of packets, and all nutrients but energy, protein, carbohydrate and fat',
  )
  .option(
    '--force-figures',
    'import your own tables even if most figures contradict each other, or seem to be for another weight than 100 g',
  )
  .option('--cache-folder <folder>', "folder for downloads (default: the user's cache folder)")
  .option('--threads <number>', 'threads that build the index (default: one for each core)')
  .option('--json', 'print the report as JSON')
  .option('--strict', 'fail if a row is dropped or a figure left empty')
  .action(async (sources: string[], flags: ImportFlags) => {
    if (flags.dryRun) return (await import('./dry-run.ts')).dryRun(sources, flags);
    const { to } = flags;
    if (to === undefined) {
      return importCommand.error(
        "error: required option '--to <target>' not specified. Name the index file to write, such as --to foods.idx, or look first with --dry-run.",
      );
    }
    return (await import('./import.ts')).importFoods(sources, to, flags);
  });

command(
  'inspect',
  'read every byte of an index file, and print whether it is intact and its contents: name, date, sources, counts, share of known figures, a sample; of a database, print the recorded name, date, sources and counts',
  'the data is intact',
  'the data is damaged, or cannot be read',
  'inspect foods.idx',
  'inspect postgres://user:password@localhost/foods --json',
)
  .argument('<data>', 'an index file, or postgres://user:password@host/database')
  .option('--json', 'print the contents as JSON')
  .action(async (data: string, { json }: { readonly json?: boolean }) =>
    (await import('./inspect.ts')).inspect(data, json),
  );

command(
  'check-cors',
  'send a service the requests of a browser, and report whether a page may read the answer, why, and what to change',
  'the page may read the answer',
  'it may not, or no answer arrives',
  'check-cors "http://localhost:3001/api/food?q=egg" --origin https://app.example',
  'check-cors https://food.example/api/food --origin null --header "X-Client: app" --credentials',
)
  .argument('<url>', 'the address that the page requests, such as http://localhost:3001/api/food?q=egg')
  .requiredOption(
    '--origin <origin>',
    'origin of the page: its address up to the slash after the host, such as https://app.example; or null for a file',
  )
  .option('--method <method>', 'method of the request; the command really sends it', 'GET')
  .addOption(
    new Option('--header <name: value>', 'a header that the page sets; may be repeated')
      .argParser(repeated)
      .default([], 'none'),
  )
  .option('--credentials', "like fetch with credentials: 'include'")
  .option('--timeout <seconds>', 'seconds to wait for each answer', '10')
  .action(async (address: string, flags: CheckCorsFlags) =>
    (await import('./check-cors.ts')).checkCors(address, flags),
  );

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  print([`food-lookup: ${error.message}`, ...error.details], process.stderr);
  process.exitCode = error.exitCode;
}
