/** Servers of the tests, on free ports of loopback. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** The origin at which the server listens from now on. It keeps no process from ending. */
export async function listen(server: Server, scheme = 'http'): Promise<string> {
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const answering = (listener: RequestListener): Promise<string> => listen(createServer(listener));
