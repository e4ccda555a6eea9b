/** One server of a cluster: etcd, and PostgreSQL under Patroni, with the files of `deploy/cluster`. */
import { spawn } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { constants, setPriority, userInfo } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { ACCOUNT } from './postgres.ts';
import { DEBIAN_POSTGRES } from './postgres-binaries.ts';
import { execute } from './programs.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { waitFor } from './wait.ts';

/** What the shipped files call by other names: servers by addresses, and ports by free ones. */
export interface Places {
  readonly addresses: Readonly<Record<string, string>>;
  readonly ports: Readonly<Record<string, number>>;
}

/** What Patroni reports of a server. */
type Member = { readonly role: string; readonly state: string; readonly timeline?: number };

/** The superuser is the user that runs the server. */
const USER = ACCOUNT.uid === undefined ? userInfo().username : 'nobody';

export class ClusterServer {
  readonly address: string;
  /** Of Patroni and PostgreSQL. */
  readonly folder: string;
  readonly #etcdFolder: string;
  readonly #places: Places;
  #proxies: readonly TcpProxy[] = [];

  constructor(name: string, folder: string, places: Places) {
    this.address = places.addresses[name] ?? '';
    const [short = ''] = name.split('.');
    this.folder = join(folder, short);
    this.#etcdFolder = join(folder, `${short}-etcd`);
    this.#places = places;
    for (const each of [this.folder, this.#etcdFolder]) makeOwn(each);
  }

  async startEtcd(): Promise<void> {
    const own = { ETCD_DATA_DIR: join(this.#etcdFolder, 'data'), ETCD_LOG_LEVEL: 'error' };
    start('etcd', [], this.#etcdFolder, { ...(await this.#environment('etcd.env')), ...own });
  }

  /** Whether it has joined the others. */
  async hasEtcd(): Promise<boolean> {
    const answer = await this.#ask('GET', '/version', '2379');
    return /"etcdcluster":"\d/.test(answer?.body ?? '');
  }

  /** Patroni reaches etcd only through connections that can be cut. */
  async preparePatroni(): Promise<void> {
    const { addresses, ports } = this.#places;
    this.#proxies = await Promise.all(
      Object.values(addresses).map((host) => TcpProxy.start(ports['2379'] ?? 0, undefined, host)),
    );
    const shipped = await readFile('deploy/cluster/patroni.yml', 'utf8');
    const changes = {
      'shared_buffers: 1GB': 'shared_buffers: 64MB\n        fsync: off',
      'loop_wait: 5': 'loop_wait: 2',
      '/var/run/postgresql': this.folder,
      '/var/lib/postgresql/15/food': join(this.folder, 'data'),
    };
    let config = this.#placed(shipped);
    for (const [from, to] of Object.entries(changes)) {
      if (!config.includes(from)) throw new Error(`deploy/cluster/patroni.yml lacks ${from}`);
      config = config.replace(from, to);
    }
    await writeFile(join(this.folder, 'patroni.yml'), config);
    const { stdout, stderr } = await execute('patroni', ['--validate-config', 'patroni.yml'], {
      ...ACCOUNT,
      cwd: this.folder,
      env: { ...process.env, ...(await this.#patroniEnvironment()) },
    });
    if (stdout + stderr !== '') throw new Error(`deploy/cluster/patroni.yml: ${stdout}${stderr}`);
  }

  async startPatroni(): Promise<void> {
    start('patroni', [join(this.folder, 'patroni.yml')], this.folder, await this.#patroniEnvironment());
  }

  /** Signals Patroni, PostgreSQL and all that they have started. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    signalProcesses(this.folder, signal);
  }

  /** As when the machine loses its power, but for etcd. */
  async kill(): Promise<void> {
    await waitFor(async () => signalProcesses(this.folder, 'SIGKILL') === 0);
  }

  /** Holds back all that Patroni and etcd send each other. */
  cutOff(): void {
    for (const proxy of this.#proxies) proxy.stall();
  }

  rejoin(): void {
    for (const proxy of this.#proxies) proxy.resume();
  }

  async is(role: 'primary' | 'replica'): Promise<boolean> {
    return (await this.#ask('GET', `/${role}`))?.status === 200;
  }

  /** All members as this one sees them; none if it does not answer. */
  async members(): Promise<readonly Member[]> {
    const answer = await this.#ask('GET', '/cluster');
    return answer?.status === 200 ? (JSON.parse(answer.body) as { members: Member[] }).members : [];
  }

  /** Orders a change as patronictl does. Returns the status. */
  async order(target: string, body: object): Promise<number | undefined> {
    return (await this.#ask('POST', target, '8008', body))?.status;
  }

  async psql(database: string, statements: string): Promise<void> {
    const args = ['-h', this.folder, '-p', String(this.#places.ports['5432']), '-U', USER];
    const options = ['-d', database, '-v', 'ON_ERROR_STOP=1', '-c', statements];
    await execute(`${DEBIAN_POSTGRES}/psql`, [...args, ...options], ACCOUNT);
  }

  async close(): Promise<void> {
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
  }

  /** From an address of this server. */
  async #ask(method: 'GET' | 'POST', target: string, port = '8008', body?: object) {
    const dispatcher = new Agent({ localAddress: this.address, headersTimeout: 60_000 });
    try {
      const url = `http://${this.address}:${this.#places.ports[port]}${target}`;
      const signal = AbortSignal.timeout(method === 'GET' ? 1000 : 60_000);
      const answer = await request(url, { method, dispatcher, signal, body: JSON.stringify(body) ?? null });
      return { status: answer.statusCode, body: await answer.body.text() };
    } catch {
      return undefined;
    } finally {
      await dispatcher.destroy();
    }
  }

  async #patroniEnvironment(): Promise<Readonly<Record<string, string>>> {
    return {
      ...(await this.#environment('patroni.env')),
      PATRONI_SUPERUSER_USERNAME: USER,
      PATRONI_ETCD3_HOSTS: this.#proxies.map(({ port }) => `127.0.0.1:${port}`).join(),
      // Otherwise it would ask etcd for the addresses of its servers, and go past what is to be cut.
      PATRONI_ETCD3_USE_PROXIES: 'true',
      PATRONI_POSTGRESQL_PGPASS: join(this.folder, 'pgpass'),
    };
  }

  async #environment(file: string): Promise<Readonly<Record<string, string>>> {
    const text = this.#placed(await readFile(`deploy/cluster/${file}`, 'utf8'));
    return Object.fromEntries(Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, ...setting]) => setting));
  }

  #placed(text: string): string {
    return placed(text.replaceAll(/\bSELF\b|\b0\.0\.0\.0\b/g, this.address), this.#places);
  }
}

/** A shipped file with the places of a test. */
export function placed(text: string, { addresses, ports }: Places): string {
  const names = Object.keys({ ...addresses, ...ports }).join('|');
  return text.replaceAll(RegExp(`\\b(?:${names})\\b`, 'g'), (name) => addresses[name] ?? String(ports[name]));
}

/** Starts a program that ends only by a signal, with its log in its folder. */
export function start(
  program: string,
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): void {
  const log = openSync(join(folder, 'log'), 'a');
  const { PATH = '' } = process.env;
  const env = { PATH: `${PATH}:/usr/sbin`, LANG: 'C.UTF-8', HOME: folder, ...environment };
  const child = spawn(program, args, { ...ACCOUNT, cwd: folder, env, stdio: ['ignore', log, log] });
  closeSync(log);
  try {
    // Other tests that keep the processor busy must not look like a failure of this server.
    setPriority(child.pid ?? 0, constants.priority.PRIORITY_HIGH);
  } catch {
    // Only root may.
  }
}

export function makeOwn(folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  if (ACCOUNT.uid !== undefined) chownSync(folder, ACCOUNT.uid, ACCOUNT.gid);
}

/**
 * Sends a signal to all processes whose working folder is this one, or in it: some leave the group and the parent that started
 * them, and some may have ended meanwhile. Returns how many there are.
 */
export function signalProcesses(folder: string, signal: NodeJS.Signals): number {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const inside = ids.filter((id) => `${workingFolder(id)}/`.startsWith(`${folder}/`));
  for (const id of inside)
    try {
      process.kill(Number(id), signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  return inside.length;
}

/** Empty if the process has ended, or belongs to somebody else. */
function workingFolder(id: string): string {
  try {
    return readlinkSync(`/proc/${id}/cwd`);
  } catch {
    return '';
  }
}
