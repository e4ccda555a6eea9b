import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of loopback on which nothing listens. It is below those that systems give to connections and to servers without a port
 * of their own, so that none of these takes it before it is used, or during a restart.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000);
    const server = createServer().listen(port, host);
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) {
      await once(server, 'close');
      return port;
    }
  }
}
