/**
 * Clients that send a byte a second and never finish their request, and clients that never read their answers, beside normal
 * load.
 */
import { connect, type Socket } from 'node:net';
import { execute } from '../../test/support/programs.ts';
import { targetOf } from '../../test/support/service.ts';
import { foodIndex, texts } from '../tools/data-sets.ts';
import { median } from '../tools/measure.ts';
import { onService } from '../tools/process.ts';
import { askAll, askAtRate, failed, knownAnswers, type Tally } from './checked-requests.ts';
import { openMany, requestFor } from './client.ts';
import { bounded, count, type Figure, measured, ms, none } from './verdict.ts';

/** s within which slow clients must be closed: the time for headers, for answering all late ones, and some for noise. */
const SLOW_CLOSED_IN = 10 + 1 + 4;
/** s within which clients that read nothing must be closed. */
const UNREAD_CLOSED_IN = 15 + 2 * 5 + 4;

/** Requests of a client that reads nothing: their answers exceed the system's buffers. */
const UNREAD = { atOnce: 40, times: 50, pause: 100 };

export async function slowClients({
  slow = 2000,
  rate = 8000,
  calm: calmSeconds = 10,
  rounds = 5,
  // s in which they arrive: as long as the service tolerates each, so that there are always some at every stage.
  arriveIn = 10,
} = {}): Promise<Figure[]> {
  return onService({ FOOD_DATA: await foodIndex() }, async ({ port, metrics }) => {
    const { known, users } = await usersOf(port);
    await askAtRate(users, known, rate, calmSeconds / 2);

    // They alternate because the machine's own speed varies.
    const calm: Tally[] = [];
    const besideSlow: Tally[] = [];
    let longest = 0;
    for (let i = 0; i < rounds; i++) {
      calm.push(await askAtRate(users, known, rate, calmSeconds));
      const sending = sendSlowly(port, slow, arriveIn);
      besideSlow.push(await askAtRate(users, known, rate, arriveIn + SLOW_CLOSED_IN));
      longest = Math.max(longest, await sending);
    }

    const { connections = 0 } = await metrics();
    for (const client of users) client.close();
    const medianOf = (tallies: Tally[]): number => median(tallies.map(({ p99 }) => p99));
    const [before, beside] = [medianOf(calm), medianOf(besideSlow)];
    const failures = [...calm, ...besideSlow].reduce((sum, tally) => sum + failed(tally), 0);
    return [
      { what: 'clients that send a byte a second', value: count(slow) },
      none('wrong, refused or missing answers of others', failures),
      { what: `p99 of others before, median of ${rounds} rounds`, value: ms(before) },
      measured('p99 of others beside the slow ones, median', beside, '≤', 2 * before, ms),
      bounded('the slowest of them closed after', longest, '≤', SLOW_CLOSED_IN, (s) => `${s.toFixed(1)} s`),
      // One connection is the request for this figure.
      none('slow clients still connected', connections - users.length - 1),
    ];
  });
}

export async function unreadAnswers({ deaf = 50, rate = 8000 } = {}): Promise<Figure[]> {
  return onService({ FOOD_DATA: await foodIndex() }, async ({ port, metrics }) => {
    const { known, users } = await usersOf(port);
    const sockets = Array.from({ length: deaf }, () => askWithoutReading(port));
    const tally = await askAtRate(users, known, rate, UNREAD_CLOSED_IN);
    const { connections = 0 } = await metrics();
    for (const client of users) client.close();
    for (const socket of sockets) socket.destroy();
    return [
      { what: 'clients that read nothing', value: count(deaf) },
      none('wrong, refused or missing answers of others', failed(tally)),
      none(`still connected after ${UNREAD_CLOSED_IN} s`, connections - users.length - 1),
    ];
  });
}

async function usersOf(port: number) {
  const known = await knownAnswers(port, await texts(1000));
  const users = await openMany(port, 50);
  await askAll(users, known);
  return { known, users };
}

/** s after which the last of them was closed; infinite if one was still open. */
async function sendSlowly(port: number, number: number, arriveIn: number): Promise<number> {
  const text = requestFor(targetOf('egg'), `X-Long: ${'a'.repeat(1000)}\r\n`).toString();
  const args = ['load/torture/slow-sender.mjs', String(port), String(number), String(arriveIn), text];
  const timeout = 1000 * (arriveIn + SLOW_CLOSED_IN + 5);
  return execute(process.execPath, args, { timeout }).then(
    ({ stdout }) => Number(stdout),
    () => Number.POSITIVE_INFINITY,
  );
}

/** Since it reads nothing, it does not notice that it is closed; the service's metrics tell. */
function askWithoutReading(port: number): Socket {
  const socket = connect(port, '127.0.0.1').pause();
  const requests = Buffer.concat(Array.from({ length: UNREAD.atOnce }, () => requestFor(targetOf('e'))));
  let left = UNREAD.times;
  const timer = setInterval(() => {
    if (left-- > 0) socket.write(requests);
    else clearInterval(timer);
  }, UNREAD.pause);
  socket.on('error', () => clearInterval(timer));
  return socket;
}
