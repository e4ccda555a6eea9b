/**
 * The end of the help of each command: examples and exit codes.
 */
import { WRONG_USE } from '../errors.ts';

interface Ending {
  /** Without the name of the program. Double quotes serve the shells of all systems. */
  readonly examples: readonly string[];
  readonly codes: readonly [ok: string, failed: string];
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  serve: {
    examples: [
      'serve --port 8080 --allowed-origin https://app.example',
      'serve --food-data foods.xlsx',
      'serve --food-data foods.idx --log-requests requests',
    ],
    codes: ['ended by a signal', 'cannot start, or ended by an unhandled error'],
  },
  search: {
    examples: [
      'search "olive oil"',
      'search "brown rice cooked" --words',
      'search milk --explain',
      'search avocado --portions',
      'search milk --json --food-data foods.idx',
    ],
    codes: ['with or without a match', 'the data set cannot be used'],
  },
  import: {
    examples: [
      'import foods.xlsx --dry-run',
      'import foods.csv --to foods.idx',
      'import usda:foundation usda:sr-legacy foods.csv --to foods.idx --report report.json',
      'import foods.csv --column kcal=Energy --per 30g --to foods.idx',
      'import FoodData_Central_csv.zip --to postgres://user:password@localhost/foods',
    ],
    codes: ['the new data set is in place', 'nothing was changed'],
  },
  verify: {
    examples: ['verify foods.idx'],
    codes: ['no byte has changed', 'the file is damaged, or cannot be read'],
  },
  inspect: {
    examples: ['inspect foods.idx', 'inspect postgres://user:password@localhost/foods --json'],
    codes: ['the data can be read', 'the data is damaged, or cannot be read'],
  },
  'check-cors': {
    examples: [
      'check-cors "http://localhost:3001/api/food?q=egg" --origin https://app.example',
      'check-cors https://food.example/api/food --origin null --header "X-Client: app" --credentials',
    ],
    codes: ['the page may read the answer', 'it may not, or no answer arrives'],
  },
};

const OF_PROGRAM: Ending = {
  examples: ['serve', 'search "olive oil"', 'import foods.csv --to foods.idx', 'serve --help'],
  codes: ['success', 'failure, for the reason printed'],
};

/** @param command undefined: the help of the program itself */
export function endOfHelp(command?: string): string {
  const { examples, codes } = ENDINGS[command ?? ''] ?? OF_PROGRAM;
  return [
    '',
    'Examples:',
    ...examples.map((example) => `  food-lookup ${example}`),
    '',
    'Exit codes:',
    ...codes.map((meaning, code) => `  ${code}  ${meaning}`),
    `  ${WRONG_USE}  the command line is wrong: an unknown flag, a missing argument, an invalid value`,
  ].join('\n');
}
