/**
 * Makes an app listen, and explains why it cannot.
 */
import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { shown, systemCode, UserError } from '../errors.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';

/** Connections that have arrived and wait to be accepted; the system may allow fewer. */
const BACKLOG = 4096;

/**
 * Without a host Node.js listens on every interface: IPv6 and IPv4 at once, or IPv4 alone where the machine has no IPv6.
 * @throws UserError that names the setting to change
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Settings,
  setting: 'port' | 'operationsPort',
): Promise<void> {
  await app.ready();
  app.server.listen({ port, host, backlog: BACKLOG });
  try {
    await once(app.server, 'listening');
  } catch (error) {
    throw listenError(error, host, port, SETTINGS[setting].variable);
  }
}

function listenError(error: unknown, host: string | undefined, port: number, variable: string): unknown {
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return new UserError(
        `${variable}: ${port} is taken by another process. Stop it, or choose another port: ${variable}=${port === 65535 ? 0 : port + 1}.`,
      );
    case 'EACCES':
      return new UserError(
        `${variable}: ${port} may not be used by this user. Choose a port of 1024 or more, such as ${variable}=3001.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new UserError(
        `HOST: ${shown(host ?? '')} is not an address of this machine. Leave it empty for every interface, or use 127.0.0.1.`,
      );
    default:
      return error;
  }
}
