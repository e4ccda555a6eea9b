import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { succeeds } from './wait.ts';

/**
 * A port of loopback on which nothing listens, at any of the addresses. It is below those that systems give to connections and to servers without a port
 * of their own, so that none of these takes it before it is used, or during a restart.
 */
export async function freePort(...hosts: readonly string[]): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    if (await isFree(port, hosts.length > 0 ? hosts : ['127.0.0.1'])) return port;
  }
}

async function isFree(port: number, hosts: readonly string[]): Promise<boolean> {
  for (const host of hosts) {
    const server = createServer().listen(port, host);
    if (!(await succeeds(once(server, 'listening')))) return false;
    server.close();
    await once(server, 'close');
  }
  return true;
}
