/**
 * The cluster of `deploy/cluster` on one machine: three servers, each with a loopback address of its own, and HAProxy before them. The
 * files are used as shipped, except for names, ports, folders and sizes.
 */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ClusterServer, makeOwn, type Places, placed, signalProcesses, start } from './cluster-server.ts';
import { freePort } from './free-port.ts';
import { documentedRoles, PASSWORD } from './postgres.ts';

const NAMES = ['db1.example', 'db2.example', 'db3.example'];

/** The ports in the shipped files. */
const PORTS = ['2379', '2380', '5432', '8008', '5433', '5434'];

/** Waits until a condition holds. @param patience ms for what a busy machine does late @throws after these */
export async function until(what: string, holds: () => Promise<boolean>, patience = 300_000): Promise<void> {
  for (const end = performance.now() + patience; !(await holds()); await pause(100))
    if (performance.now() > end) throw new Error(`not within ${patience / 1000} s: ${what}`);
}

export class Cluster {
  readonly servers: readonly ClusterServer[];
  readonly #folder: string;
  readonly #places: Places;
  readonly #killAll = (): number => signalProcesses(this.#folder, 'SIGKILL');

  private constructor(folder: string, places: Places) {
    this.#folder = folder;
    this.#places = places;
    this.servers = NAMES.map((name) => new ClusterServer(name, folder, places));
    process.once('exit', this.#killAll);
  }

  /** Starts it with the database `food`, and waits until there are a primary and two standbys. */
  static async start(): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'food-lookup-cluster-'));
    await chmod(folder, 0o755);
    const cluster = new Cluster(folder, await freePlaces());
    try {
      await cluster.#start();
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  /** The address through HAProxy, as docs/postgresql.md names it. */
  url(user: 'food_reader' | 'food_owner'): string {
    const hosts = ['5433', '5434'].map((port) => `127.0.0.1:${this.#places.ports[port]}`).join();
    return `postgres://${user}:${encodeURIComponent(PASSWORD)}@${hosts}/food`;
  }

  async primary(): Promise<ClusterServer | undefined> {
    const are = await Promise.all(this.servers.map((server) => server.is('primary')));
    return this.servers[are.indexOf(true)];
  }

  /** Waits until there are a primary, its synchronous standby and the other standby, all on one timeline. */
  async healed(): Promise<void> {
    let members: Awaited<ReturnType<ClusterServer['members']>> = [];
    const isHealed = async (): Promise<boolean> => {
      members = (await this.servers[0]?.members()) ?? [];
      const roles = members.map(({ role }) => role).sort();
      return (
        roles.join() === 'leader,replica,sync_standby' &&
        members.every(({ state }) => /^(?:running|streaming)$/.test(state)) &&
        new Set(members.map(({ timeline }) => timeline)).size === 1
      );
    };
    await until('a primary and two standbys', isHealed).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(members)}`);
    });
  }

  async remove(): Promise<void> {
    process.off('exit', this.#killAll);
    await until('all processes of the cluster have ended', async () => this.#killAll() === 0);
    await Promise.all(this.servers.map((server) => server.close()));
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.startEtcd()));
    await this.#startHaproxy();
    // Until then Patroni ends; the unit of its package would restart it.
    for (const server of this.servers) await until('etcd', () => server.hasEtcd());
    await Promise.all(this.servers.map((server) => server.preparePatroni()));
    await Promise.all(this.servers.map((server) => server.startPatroni()));
    await until('a primary', async () => (await this.primary()) !== undefined);
    await this.#createDatabase();
    await this.healed();
  }

  async #startHaproxy(): Promise<void> {
    const folder = join(this.#folder, 'haproxy');
    const file = join(this.#folder, 'haproxy.cfg');
    makeOwn(folder);
    await writeFile(file, placed(await readFile('deploy/cluster/haproxy.cfg', 'utf8'), this.#places));
    start('haproxy', ['-db', '-f', file], folder);
  }

  async #createDatabase(): Promise<void> {
    const primary = await this.primary();
    await primary?.psql('postgres', 'CREATE DATABASE food');
    await primary?.psql('food', await documentedRoles());
  }
}

/** Three addresses of loopback, and ports that are free on all of them. */
async function freePlaces(): Promise<Places> {
  const net = `127.${1 + (process.pid % 250)}.${1 + (Date.now() % 250)}`;
  const addresses = Object.fromEntries(NAMES.map((name, i) => [name, `${net}.${i + 1}`]));
  const ports: Record<string, number> = {};
  for (const port of PORTS) ports[port] = await freePort('127.0.0.1', ...Object.values(addresses));
  return { addresses, ports };
}
