/**
 * A separate process, so that its work does not delay the measured clients. Arguments: PORT, NUMBER of clients, SECONDS in
 * which they arrive, TEXT of which each sends a byte a second until it is closed. Prints the seconds until the last was closed.
 */
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const [port = '', number = '', seconds = '', text = ''] = process.argv.slice(2);
const bytes = Buffer.from(text);
const ends = [];

// Real ones run on other machines; many must not take the processor from the measured clients. A few need hardly any, and beside
// busy processes would get none at a low priority.
if (Number(number) > 1000) setPriority(constants.priority.PRIORITY_LOW);

for (let i = 0; i < Number(number); i++) {
  ends.push(sendSlowly());
  // Spread evenly.
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
