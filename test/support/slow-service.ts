/**
 * A service for tests to stop, as a process, which is less patient than others: each search works for as many ms as its text
 * says, and `large` has an answer that no buffer of the system holds. Prints its port.
 */
import { startService } from './service.ts';
import { workFor } from './time.ts';

const FOUND = Buffer.from('[]');
const LARGE = Buffer.alloc(2 ** 25, ' ');

const { port } = await startService(
  {
    search: (text) => {
      if (text === 'large') return LARGE;
      workFor(Number(text.split(' ')[0]));
      return FOUND;
    },
    searchWords: (text) => {
      workFor(Number(text.split(' ')[0]));
      return { body: FOUND, readings: [], replaced: [], missing: [] };
    },
  },
  {},
  undefined,
  { check: 200, read: 3000, turn: 500, wait: 500 },
);
process.stdout.write(`${port}\n`);
