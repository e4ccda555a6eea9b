/** Test servers on free loopback ports. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Starts the server, which does not keep the process alive; returns its origin. */
export async function listen(server: Server, scheme = 'http'): Promise<string> {
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const answering = (listener: RequestListener): Promise<string> => listen(createServer(listener));
