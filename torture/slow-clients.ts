/**
 * Clients that send a byte a second and never end their request, and clients that ask and read nothing, while others
 * use the service as always.
 */
import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { median } from '../bench/tools/measure.ts';
import { serve } from '../test/support/command.ts';
import { askAll, askAtRate, failed, knownAnswers, requestFor, type Tally } from './checked-requests.ts';
import { openMany } from './client.ts';
import { foodIndex, texts } from './data.ts';
import { count, type Figure, measured, ms, none } from './verdict.ts';

/** s: the time for the headers, until all that are late are answered, and some for noise. */
const HEADERS_IN = 10 + 1 + 4;
/** s in which the slow clients come where they come together, so that all are late together. */
const COME_TOGETHER = 0.1;
/** s in which clients that read nothing must be closed. */
const READ_IN = 15 + 2 * 5 + 4;

/** Requests of a client that reads nothing: enough that their answers do not fit into the system's buffers. */
const UNREAD = { atOnce: 40, times: 50, pause: 100 };

export async function slowClients({
  slow = 2000,
  rate = 8000,
  calm: calmSeconds = 10,
  rounds = 5,
  // s: as long as the service bears them, so that it always has to do with all stages.
  comeIn = 10,
} = {}): Promise<Figure[]> {
  const service = await serve([], { FOOD_DATA: await foodIndex(), LOG_LEVEL: 'warn' });
  try {
    const known = await knownAnswers(service.port, await texts(1000));
    const users = await openMany(service.port, 50);
    await askAll(users, known);
    await askAtRate(users, known, rate, calmSeconds / 2);

    // Alternating, since the machine itself is slower at one time than at another.
    const calm: Tally[] = [];
    const besideSlow: Tally[] = [];
    const besideMany: Tally[] = [];
    let longest = 0;
    for (let i = 0; i < rounds; i++) {
      calm.push(await askAtRate(users, known, rate, calmSeconds));
      for (const [tallies, within] of [
        [besideSlow, comeIn],
        [besideMany, COME_TOGETHER],
      ] as const) {
        const sending = sendSlowly(service.port, slow, within);
        tallies.push(await askAtRate(users, known, rate, within + HEADERS_IN));
        longest = Math.max(longest, await sending);
      }
    }

    const { connections = 0 } = await service.metrics();
    for (const client of users) client.close();
    const [before = 0, beside = 0, besideWave = 0] = [calm, besideSlow, besideMany].map((tallies) =>
      median(tallies.map(({ p99 }) => p99)),
    );
    const all = [...calm, ...besideSlow, ...besideMany];
    return [
      { what: 'clients that send a byte a second', value: count(slow) },
      none(
        'wrong, refused or missing answers of others',
        all.reduce((sum, tally) => sum + failed(tally), 0),
      ),
      { what: `p99 of others before, median of ${rounds} rounds`, value: ms(before) },
      measured('p99 of others beside the slow ones, median', beside, '≤', 2 * before, ms),
      { what: 'the same where all of them come at once', value: ms(besideWave) },
      {
        what: 'slow clients were closed after',
        value: `${longest.toFixed(1)} s`,
        bound: `≤ ${HEADERS_IN} s`,
        holds: longest <= HEADERS_IN,
      },
      // One more asks for this figure.
      none('slow clients that are still connected', connections - users.length - 1),
    ];
  } finally {
    await service.stop();
  }
}

export async function unreadAnswers({ deaf = 50, rate = 8000 } = {}): Promise<Figure[]> {
  const service = await serve([], { FOOD_DATA: await foodIndex(), LOG_LEVEL: 'warn' });
  try {
    const known = await knownAnswers(service.port, await texts(1000));
    const users = await openMany(service.port, 50);
    await askAll(users, known);
    const sockets = Array.from({ length: deaf }, () => askWithoutReading(service.port));
    const tally = await askAtRate(users, known, rate, READ_IN);
    const { connections = 0 } = await service.metrics();
    for (const client of users) client.close();
    for (const socket of sockets) socket.destroy();
    return [
      { what: 'clients that read nothing', value: count(deaf) },
      none('wrong, refused or missing answers of others', failed(tally)),
      none(`clients that read nothing, still connected after ${READ_IN} s`, connections - users.length - 1),
    ];
  } finally {
    await service.stop();
  }
}

/** s after which the last of them was closed; infinite where one was still open. */
async function sendSlowly(port: number, number: number, comeIn: number): Promise<number> {
  const text = requestFor('egg', `X-Long: ${'a'.repeat(1000)}\r\n`).toString();
  const args = ['torture/slow-sender.mjs', String(port), String(number), String(comeIn), text];
  const timeout = 1000 * (comeIn + HEADERS_IN + 5);
  return promisify(execFile)(process.execPath, args, { timeout }).then(
    ({ stdout }) => Number(stdout),
    () => Number.POSITIVE_INFINITY,
  );
}

/** It does not see that it is closed, since it reads nothing; the service's metrics show it. */
function askWithoutReading(port: number): Socket {
  const socket = connect(port, '127.0.0.1').pause();
  const requests = Buffer.concat(Array.from({ length: UNREAD.atOnce }, () => requestFor('e')));
  let left = UNREAD.times;
  const timer = setInterval(() => {
    if (left-- > 0) socket.write(requests);
    else clearInterval(timer);
  }, UNREAD.pause);
  socket.on('error', () => clearInterval(timer));
  return socket;
}
