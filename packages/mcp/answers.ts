/** What an assistant is answered: an object for programs, and a short text for people; or an error that says what to do. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isSearchError, type RequestOptions, type SearchError } from '../browser/search-foods.ts';
import type { Foods } from './foods.ts';

/** ms until a lookup is given up. */
const PATIENCE = 20_000;

/** What to do about an error, after what it says itself. */
const ADVICE: Readonly<Record<SearchError['kind'], string>> = {
  aborted: `There was no answer within ${PATIENCE / 1000} s. Try again, or ask for less at once.`,
  'blocked-or-unreachable':
    'Start the service, or correct FOOD_LOOKUP_URL; without FOOD_LOOKUP_URL, the built-in foods are searched.',
  'unusable-address': 'It is that of FOOD_LOOKUP_URL; without it, the built-in foods are searched.',
  'answered-with-error': 'FOOD_LOOKUP_URL names the service that answered so.',
};

const textOf = (text: string): CallToolResult['content'] => [{ type: 'text', text }];

/** @returns what asks the foods a question, which answers the object and the lines of the text */
export const lookingUpIn =
  ({ baseUrl, options }: Foods) =>
  async (
    signal: AbortSignal,
    ask: (baseUrl: string, options: RequestOptions) => Promise<readonly [object, readonly string[]]>,
  ): Promise<CallToolResult> => {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]);
      const [found, lines] = await ask(baseUrl, { ...options, signal: limited });
      return { structuredContent: { ...found }, content: textOf(lines.join('\n')) };
    } catch (error) {
      if (!isSearchError(error)) throw error;
      return { isError: true, content: textOf(`${error.message} ${ADVICE[error.kind]}`) };
    }
  };

const UNKNOWN = '–';

type Row = readonly (string | number | null)[];

const lineOf = (cells: Row): string =>
  `| ${cells.map((cell) => String(cell ?? UNKNOWN).replaceAll('|', '\\|')).join(' | ')} |`;

/** A Markdown table. */
export const tableOf = (head: readonly string[], rows: readonly Row[]): readonly string[] =>
  [head, head.map(() => '---'), ...rows].map(lineOf);
