/**
 * Two processes of the service, real proxies in front of them with the shipped configurations, adapted to free loopback ports and a
 * temporary folder, and load through these.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';
import { Agent, type Dispatcher, request } from 'undici';
import { onTestFinished } from 'vitest';
import { makeCertificate } from './certificate.ts';
import { serve } from './command.ts';
import { freePort } from './free-port.ts';
import { end, writtenTo } from './programs.ts';
import { type Ask, SearchLoop } from './search-loop.ts';
import { succeeds, waitFor } from './wait.ts';

/** Replacements in a configuration, all of which must be found, so that the test uses the rest as shipped. */
type Changes = Readonly<Record<string, string>>;

export interface ProxyProgram {
  /** The shipped configuration. */
  readonly file: string;
  /** Adapts it to the machine. */
  changes(places: Places): Changes;
  /** Returns the program and its arguments. */
  command(folder: string, config: string): Promise<readonly [string, ...string[]]>;
}

export interface Places {
  readonly folder: string;
  readonly http: number;
  readonly https: number;
  readonly services: readonly [number, number];
  readonly certFile: string;
  readonly keyFile: string;
}

export const NGINX: ProxyProgram = {
  file: 'deploy/nginx.conf',
  changes: ({ folder, http, https, services, certFile, keyFile }) => ({
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;`,
    '    listen [::]:80;\n': '',
    '    listen [::]:443 ssl http2;\n': '',
    '127.0.0.1:3001': `127.0.0.1:${services[0]}`,
    '127.0.0.1:3002': `127.0.0.1:${services[1]}`,
    '/var/cache/nginx-food-lookup': join(folder, 'cache'),
    '/etc/ssl/food.example.pem': certFile,
    '/etc/ssl/private/food.example.key': keyFile,
  }),
  command: async (folder, config) => {
    const main = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${join(folder, each)};`,
    );
    await writeFile(
      main,
      `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 2;
pid ${join(folder, 'nginx.pid')};
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  include ${config};
}
`,
    );
    return ['nginx', '-p', folder, '-e', 'stderr', '-c', main];
  },
};

/** nginx with more changes than the machine needs. */
export const changedNginx = (changes: Changes): ProxyProgram => ({
  ...NGINX,
  changes: (places) => ({ ...NGINX.changes(places), ...changes }),
});

export const HAPROXY: ProxyProgram = {
  file: 'deploy/haproxy.cfg',
  changes: ({ folder, http, https, services }) => ({
    'bind :80\n': `bind 127.0.0.1:${http}\n`,
    'bind :443 ssl': `bind 127.0.0.1:${https} ssl`,
    '127.0.0.1:3001': `127.0.0.1:${services[0]}`,
    '127.0.0.1:3002': `127.0.0.1:${services[1]}`,
    '/etc/ssl/food.example.pem': join(folder, 'both.pem'),
  }),
  command: async (folder, config) => {
    const files = ['cert', 'key'].map((part) => join(folder, `food.${part}.pem`));
    const parts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    await writeFile(join(folder, 'both.pem'), parts.join(''));
    return ['haproxy', '-db', '-f', config];
  },
};

/** Two processes of the service, which several proxies may share. */
export type Pair = Awaited<ReturnType<typeof startPair>>;
export type Proxied = Awaited<ReturnType<typeof startProxied>>;

const CONNECTIONS = 16;

export async function startPair(environment: { readonly FOOD_DATA: string } & Record<string, string>) {
  const settings = { HOST: '127.0.0.1', NODE_ENV: 'production', TRUST_PROXY: 'loopback', ...environment };
  const ports = [await freePort(), await freePort()] as const;
  const start = (which: 0 | 1) => serve(['--port', String(ports[which])], settings);
  const services = await Promise.all([start(0), start(1)]);
  return {
    services,
    /** Restarts a process on its port. */
    restart: async (which: 0 | 1) => {
      services[which] = await start(which);
    },
    stop: async () => void (await Promise.all(services.map((service) => service.stop()))),
  };
}

/** A proxy in front of two processes. */
export async function startProxied(
  program: ProxyProgram,
  { services }: { readonly services: readonly { readonly port: number }[] },
) {
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-proxy-'));
  // The proxy's workers may run as another user.
  await chmod(folder, 0o777);
  const { keyFile, certFile, cert } = await makeCertificate(join(folder, 'food'), 'DNS:food.example');
  const [first = 0, second = 0] = services.map(({ port }) => port);
  const [http, https] = [await freePort(), await freePort()];
  const places: Places = { folder, http, https, services: [first, second], certFile, keyFile };
  const config = join(folder, 'proxy.conf');
  await writeFile(config, changed(await readFile(program.file, 'utf8'), program.changes(places)));

  const [name, ...args] = await program.command(folder, config);
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = writtenTo(child.stdout, child.stderr);
  const agents = new Map<string, Agent>();
  const close = async (): Promise<void> => {
    await Promise.all([...agents.values()].map((agent) => agent.close()));
    await end(child);
    await rm(folder, { recursive: true });
  };
  const accepts = async () => {
    const socket = connect(https, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  };
  await waitFor(async () => child.exitCode !== null || succeeds(accepts()));
  if (child.exitCode !== null) {
    await close();
    throw new Error(`${name} has ended: ${output()}`);
  }

  const origin = `https://127.0.0.1:${https}`;
  const connection = { ca: cert, servername: 'food.example' };
  const agentFor = (from: string): Agent => {
    const agent = agents.get(from) ?? new Agent({ localAddress: from, connect: connection });
    agents.set(from, agent);
    return agent;
  };
  /** Sends a request through the proxy. @param options `from` is the loopback address of the client */
  const ask = async (
    target: string,
    { headers = {}, method = 'GET' as Dispatcher.HttpMethod, from = '127.0.0.1', http: plain = false } = {},
  ) => {
    const answer = await request((plain ? `http://127.0.0.1:${http}` : origin) + target, {
      method,
      headers: { host: 'food.example', ...headers },
      dispatcher: agentFor(from),
    });
    const body = Buffer.from(await answer.body.arrayBuffer());
    return { status: answer.statusCode, headers: answer.headers, body };
  };
  const search = async (target: string, isRetry = false): ReturnType<Ask> => {
    const { body: bytes, ...answer } = await ask(target);
    const body = String(bytes);
    // If other tests have the processor for a second, the service refuses a moment's searches: no fault of a restart.
    if (answer.status !== 503 || !body.includes('overloaded') || isRetry) return { ...answer, body };
    await pause(1000 * Number(answer.headers['retry-after']));
    return search(target, true);
  };
  return {
    https: origin,
    folder,
    ask,
    /** Sends bytes unchanged over TLS, and reads until the proxy closes the connection. */
    send: (bytes: string): Promise<string> => {
      const socket = tlsConnect({ port: https, host: '127.0.0.1', ...connection });
      socket.write(bytes);
      return text(socket);
    },
    /** Searches on 16 connections until it is stopped. */
    load: async () => {
      const { body } = await search('/api/food?q=quail');
      return new SearchLoop((target) => search(target), new Map([['quail', [body]]]), CONNECTIONS);
    },
    close,
  };
}

/** A proxy until the end of the test that starts it. */
export async function proxiedForTest(...args: Parameters<typeof startProxied>): Promise<Proxied> {
  const proxied = await startProxied(...args);
  onTestFinished(() => proxied.close());
  return proxied;
}

/** In one pass: a random port may contain another one that is replaced. */
function changed(text: string, changes: Changes): string {
  const known = Object.keys(changes);
  for (const old of known)
    if (!text.includes(old)) throw new Error(`the configuration does not have: ${old}`);
  if (known.length === 0) return text;
  const escaped = known.map((old) => old.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.replace(new RegExp(escaped.join('|'), 'g'), (old) => changes[old] ?? old);
}
