/**
 * A process of its own, so that its work is not in the times of others. Arguments: PORT, NUMBER of clients, SECONDS in
 * which they come, TEXT of which each sends a byte a second until it is closed. Prints after how many s the slowest was.
 */
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const [port = '', number = '', seconds = '', text = ''] = process.argv.slice(2);
const bytes = Buffer.from(text);
const ends = [];

// Real ones run on other machines: these must not take the processor from the clients that are measured.
setPriority(constants.priority.PRIORITY_LOW);

for (let i = 0; i < Number(number); i++) {
  ends.push(sendSlowly());
  // Evenly, as they would come again and again; not all in one moment.
  if (i % (Number(number) / (100 * Number(seconds))) < 1) await wait(10);
}
process.stdout.write(String(Math.max(...(await Promise.all(ends)))));

function sendSlowly() {
  const socket = connect(Number(port), '127.0.0.1').resume();
  const started = performance.now();
  let sent = 0;
  const timer = setInterval(() => socket.write(bytes.subarray(sent, ++sent)), 1000);
  socket.on('error', () => {});
  return new Promise((resolve) => {
    socket.on('close', () => {
      clearInterval(timer);
      resolve((performance.now() - started) / 1000);
    });
  });
}
