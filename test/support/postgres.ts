/**
 * Real PostgreSQL servers on loopback, from the binaries of a package: primaries, hot standbys made by a backup over SQL, and
 * every way to end a server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { INSTALLED_POSTGRES, POSTGRES_BINARIES } from './postgres-binaries.ts';
import { end, execute, writtenTo } from './programs.ts';

export const PASSWORD = 'secret of the tests';

/** The statements of docs/postgresql.md that make its roles, with one password for both. */
export async function documentedRoles(password = PASSWORD): Promise<string> {
  const page = await readFile('docs/postgresql.md', 'utf8');
  const [, roles = ''] = /<!-- roles -->\n```sql\n([\s\S]*?)```/.exec(page) ?? [];
  return roles.replaceAll(/change me(?: too)?/g, password);
}

/** PostgreSQL and PgBouncer refuse to run as root, so root runs them as nobody. */
export const ACCOUNT = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Small, for tests; benchmarks set more. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  max_connections: '60',
  wal_keep_size: '512MB',
  max_wal_size: '4GB',
  hot_standby_feedback: 'off',
  // No data needs to survive a crash of the machine.
  fsync: 'off',
};

export class Postgres {
  readonly folder: string;
  readonly port: number;
  readonly #settings: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, settings: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.port = port;
    this.#settings = settings;
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
    const folder = await dataFolder();
    await copyFolder(await emptyData(), folder);
    const server = new Postgres(folder, await freePort(), { ...SETTINGS, ...settings });
    await server.run();
    return server;
  }

  /** A server that another process started. */
  static at(port: number): Postgres {
    return new Postgres('', port, {});
  }

  /** A hot standby that follows this server. */
  async standby(): Promise<Postgres> {
    const folder = await dataFolder();
    const client = await this.client();
    await client.query("SELECT pg_backup_start('standby', true)");
    await copyFolder(this.folder, folder);
    // The standby gets the log from the primary.
    const log = (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name));
    for (const name of ['postmaster.pid', 'postmaster.opts', ...log.map((each) => `pg_wal/${each}`)])
      await rm(join(folder, name), { force: true });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await client.end();
    const primary = `host=127.0.0.1 port=${this.port} user=postgres password='${PASSWORD}'`;
    const server = new Postgres(folder, await freePort(), { ...this.#settings, primary_conninfo: primary });
    await server.writeFile('backup_label', rows[0]?.labelfile ?? '');
    await server.writeFile('standby.signal', '');
    await server.run();
    return server;
  }

  /** Starts the server, however it ended before, and waits until it answers. */
  async run(): Promise<void> {
    const settings = Object.entries({ ...this.#settings, port: String(this.port) });
    const args = ['-D', this.folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    for (;;) {
      const child = spawn(await binary('postgres'), args, {
        ...ACCOUNT,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      this.#process = child;
      const kill = (): void => void child.kill('SIGQUIT');
      process.once('exit', kill);
      child.once('exit', () => process.off('exit', kill));
      const log = writtenTo(child.stderr);
      while (child.exitCode === null) {
        const client = await this.client().catch(() => undefined);
        if (client !== undefined) {
          await client.end();
          return;
        }
        await pause(30);
      }
      // Processes of the killed server are still ending.
      if (!/still in use|already exists|lock file/.test(log())) throw new Error(`PostgreSQL ended: ${log()}`);
      await pause(50);
    }
  }

  /** Ends the server: gracefully with SIGINT, at once with SIGQUIT, as in a crash with SIGKILL. */
  async end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const running = this.#process;
    if (running !== undefined) await end(running, () => running.kill(signal));
  }

  async remove(): Promise<void> {
    await this.end('SIGQUIT');
    await rm(dirname(this.folder), { recursive: true, force: true });
  }

  async client(database = 'postgres', user = 'postgres', password = PASSWORD): Promise<pg.Client> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user, password, database });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  query = (...statements: readonly string[]) => this.queryIn('postgres', ...statements);

  /** Runs statements in turn; returns the rows of the last. */
  async queryIn(database: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
    const client = await this.client(database);
    try {
      let rows: Record<string, unknown>[] = [];
      for (const statement of statements) ({ rows } = await client.query(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  /** Writes a file into the server's folder, owned by its account. */
  async writeFile(name: string, content: string): Promise<void> {
    const path = join(this.folder, name);
    await writeFile(path, content, { mode: 0o600 });
    await own(path);
  }

  url({ database = 'postgres' } = {}): string {
    return `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.port}/${database}`;
  }
}

export function urlOf(servers: readonly { readonly port: number }[], query = ''): string {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join();
  return `postgres://postgres:${encodeURIComponent(PASSWORD)}@${hosts}/postgres${query}`;
}

async function dataFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'food-lookup-postgres-'));
  const folder = join(parent, 'data');
  await mkdir(folder, { mode: 0o700 });
  await own(parent, folder);
  return folder;
}

/** In a third of the time that Node.js takes. */
async function copyFolder(from: string, to: string): Promise<void> {
  await execute('cp', ['-a', `${from}/.`, to]);
}

async function own(...paths: string[]): Promise<void> {
  const { uid, gid } = ACCOUNT;
  if (uid !== undefined) await Promise.all(paths.map((path) => chown(path, uid, gid)));
}

async function madeOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(tmpdir(), `food-lookup-postgres-${name}-${process.getuid?.() ?? 0}`);
  if (existsSync(folder)) return folder;
  const building = await mkdtemp(`${folder}-`);
  await own(building);
  await make(building);
  // Another process may have been faster.
  await rename(building, folder).catch(() => rm(building, { recursive: true }));
  return folder;
}

const INITDB = ['-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--locale', 'C', '--no-sync'];

/** The data folder of a new server, since a copy takes a tenth of the time of initdb. */
async function emptyData(): Promise<string> {
  const { stdout: version } = await execute(await binary('postgres'), ['--version'], ACCOUNT);
  const key = createHash('sha256').update([version, PASSWORD, ...INITDB].join('\n'));
  const folder = await madeOnce(`data-${key.digest('hex').slice(0, 8)}`, async (building) => {
    const passwordFile = join(building, 'password');
    await writeFile(passwordFile, PASSWORD);
    const args = ['-D', join(building, 'data'), '--pwfile', passwordFile, ...INITDB];
    await execute(await binary('initdb'), args, ACCOUNT);
  });
  return join(folder, 'data');
}

let copied: Promise<string> | undefined;

/** A binary that the account may run, from a copy with the links that the package leaves to an install script. */
async function binary(name: string): Promise<string> {
  copied ??= INSTALLED_POSTGRES === undefined ? copyBinaries() : Promise.resolve(INSTALLED_POSTGRES);
  return join(await copied, 'bin', name);
}

async function copyBinaries(): Promise<string> {
  const read = async (file: string) => JSON.parse(await readFile(join(POSTGRES_BINARIES, file), 'utf8'));
  return madeOnce((await read('../package.json')).version, async (building) => {
    await copyFolder(POSTGRES_BINARIES, building);
    const links: { readonly source: string; readonly target: string }[] = await read('pg-symlinks.json');
    for (const { source, target } of links) {
      const place = join(building, relative('native', target));
      await symlink(relative(dirname(target), source), place).catch(() => {});
    }
    await execute('chmod', ['-R', 'a+rX', building]);
  });
}
