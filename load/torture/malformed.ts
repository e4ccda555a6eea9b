/** Requests with seeded mistakes: no crash, no 5xx, no hang, no leak. */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { seeded } from '../../test/support/random.ts';
import { onService } from '../tools/process.ts';
import { INSPECTED, memoryKept } from './inspect.ts';
import { mutated } from './mutations.ts';
import { count, type Figure, measured, none } from './verdict.ts';

const AT_ONCE = 32;

/** ms within which a connection must end after its client has sent everything. */
const HANG = 8000;

export function malformed({ requests = 50_000, seed = 50 } = {}): Promise<Figure[]> {
  const settings = { ALLOWED_ORIGIN: 'https://app.example', LOG_LEVEL: 'error', ...INSPECTED };
  return onService(settings, async ({ pid, port, url, errors }) => {
    const random = seeded(seed);
    const seen = new Map<string, number>();
    const bad: string[] = [];
    const send = async (number: number): Promise<void> => {
      let left = number;
      const sender = async (): Promise<void> => {
        while (left-- > 0) {
          const bytes = mutated(random);
          const outcome = await outcomeOf(port, bytes);
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
          // A mutation may name HTTP/2.0, which is answered 505.
          if (/^5(?!05)|hang|refused/.test(outcome))
            bad.push(`${outcome}: ${JSON.stringify(bytes.toString('latin1'))}`);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sender));
    };
    const files = () => readdirSync(`/proc/${pid}/fd`).length;
    // Fills what is filled only once, such as caches and compiled code.
    await send(Math.ceil(requests / 5));
    const before = { memory: await memoryKept(pid), files: files() };
    await send(Math.floor((requests * 4) / 5));
    const growth = (await memoryKept(pid)) / before.memory;
    const { ok } = await fetch(`${url}/api/food?q=egg`);
    const outcomes = Array.from(seen, ([outcome, number]) => `${outcome}: ${count(number)}`);
    for (const line of bad.slice(0, 10)) process.stderr.write(`${line}\n`);
    return [
      { what: `requests; first answers: ${outcomes.toSorted().join(', ')}`, value: count(requests) },
      none('answered 5xx, or never', bad.length),
      none('answered wrongly afterwards, or lines in the log', Number(!ok) + errors().length),
      measured('memory after the last, relative to after the first fifth', growth, '≤', 1.05),
      // One belongs to the request above.
      none('more open files than before', Math.max(0, files() - before.files - 1)),
    ];
  });
}

/** The first 5xx status or else the first status; `closed` if there is none, or how the service failed. */
function outcomeOf(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const timer = setTimeout(() => {
      resolve('hang');
      socket.destroy();
    }, HANG);
    socket.on('connect', () => socket.end(bytes));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') resolve('refused');
    });
    socket.on('close', () => {
      clearTimeout(timer);
      const statuses = Array.from(received.matchAll(/HTTP\/1\.[01] (\d{3}) /g), ([, status = '']) => status);
      resolve(statuses.find((status) => status.startsWith('5')) ?? statuses[0] ?? 'closed');
    });
  });
}
