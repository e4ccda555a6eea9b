/** Makes a server listen, and explains why it cannot. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { settingShown, shown, systemCode, UserError } from '#core';
import { type Settings, variableOf } from '../../settings/settings.ts';

/** Connections that have arrived and wait to be accepted; the system may allow fewer. */
const BACKLOG = 4096;

type Address = Pick<Settings, 'host' | 'port'>;

/** @throws UserError if another process has the port: threads would share it with those of a second service */
export async function requireFreePort(address: Address): Promise<void> {
  const server = createServer();
  await listen(server, address);
  server.close();
  await once(server, 'close');
}

/**
 * Without a host Node.js listens on every interface: both IPv6 and IPv4, or IPv4 alone if the machine has no IPv6.
 * @param options Node.js 22.12 and newer know `reusePort`, which has no type yet: whether other threads listen on the same port
 */
export async function listen(
  server: Server,
  { host, port, ...options }: Address & { readonly reusePort?: boolean },
  setting: 'port' | 'operationsPort' = 'port',
): Promise<void> {
  try {
    server.listen({ port, host, backlog: BACKLOG, ...options });
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, host, port, variableOf(setting));
  }
}

function listenError(error: unknown, host: string | undefined, port: number, variable: string): unknown {
  const another = settingShown(variable, port === 65535 ? 0 : port + 1);
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return new UserError(
        `${variable}: ${port} is taken by another process. Stop it, or choose another port: ${another}.`,
      );
    case 'EACCES':
      return new UserError(
        `${variable}: ${port} may not be used by this user: most systems reserve ports below 1024 for administrators, and Windows reserves others for virtual machines. Choose another port, such as ${settingShown(variable, 3001)}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new UserError(
        `HOST: ${shown(host ?? '')} is not an address of this machine. Leave it empty for every interface, or use 127.0.0.1.`,
      );
    case 'ENOTSUP':
      return new UserError(
        `${variableOf('threads')}: on this system, threads cannot share a port. Use 1, and start several processes.`,
      );
    default:
      return error;
  }
}
