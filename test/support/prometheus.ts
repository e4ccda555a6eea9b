/** Prometheus with the shipped scrape file and alert rules, which need seconds here instead of minutes. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { freePort } from './free-port.ts';
import { end, writtenTo } from './programs.ts';
import { waitFor } from './wait.ts';

const TARGETS = '["127.0.0.1:3001", "127.0.0.1:3002"]';

export async function startPrometheus(folder: string, services: readonly { readonly port: number }[]) {
  const scrape = await readFile('deploy/prometheus.yml', 'utf8');
  const rules = await readFile('deploy/alerts.yml', 'utf8');
  if (scrape?.includes(TARGETS) !== true) throw new Error(`deploy/prometheus.yml does not have: ${TARGETS}`);
  await mkdir(folder);
  const targets = JSON.stringify(services.map(({ port }) => `127.0.0.1:${port}`));
  const global = 'global: { evaluation_interval: 1s }';
  const often = scrape.replace(TARGETS, targets).replace(/scrape_interval: .*/, 'scrape_interval: 1s');
  await writeFile(`${folder}/prometheus.yml`, `${global}\n${often}`);
  await writeFile(`${folder}/alerts.yml`, String(rules).replaceAll(/^( *for): .*/gm, '$1: 1s'));

  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${address}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const log = writtenTo(child.stderr);
  const api = async <T>(path: string): Promise<T> => {
    const { data } = (await (await fetch(`http://${address}${path}`)).json()) as { data: T };
    return data;
  };
  await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus has ended: ${log()}`);
    return fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    /** The number of processes that it has read. */
    targetsUp: async () => {
      const { activeTargets } = await api<{ activeTargets: { health: string }[] }>('/api/v1/targets');
      return activeTargets.filter(({ health }) => health === 'up').length;
    },
    firing: async () => {
      const { alerts } = await api<{
        alerts: { state: string; labels: Record<string, string> }[];
      }>('/api/v1/alerts');
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
    },
    stop: () => end(child),
  };
}
