/** The files for Compose, Kubernetes and Prometheus: their settings, routes and metrics are those of the service. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readSettings } from '#service';
import { serviceForAll } from '../support/lifetime.ts';
import { execute } from '../support/programs.ts';
import { describeWithProgram } from '../support/requirements.ts';
import { ask, memoryCatalogOf, numbered, startService } from '../support/service.ts';

const [COMPOSE = '', KUBERNETES = '', ALERTS = ''] = await Promise.all(
  ['compose.yaml', 'kubernetes.yaml', 'alerts.yml'].map((name) => readFile(`deploy/${name}`, 'utf8')),
);

const [deployment, service, budget] = parseAllDocuments(KUBERNETES).map((each) => each.toJS());
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const variables: readonly { readonly name: string; readonly value: string }[] = container.env;
const environment = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
const ports: readonly { readonly name: string; readonly containerPort: number }[] = container.ports;
const composed = parse(COMPOSE).services['food-lookup'].environment as Record<string, string>;

/** Rejects names that are no setting, and invalid values. */
const settingsOf = (variables: Readonly<Record<string, string>>) => {
  const settings = readSettings({}, variables);
  expect(Object.keys(variables).filter((name) => !(camel(name) in settings))).toEqual([]);
  return settings;
};
const camel = (name: string): string =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const running = serviceForAll(async () => startService(await memoryCatalogOf(numbered(['Egg']))));

test('Compose and Kubernetes set valid settings', () => {
  expect(settingsOf(composed)).toMatchObject({ allowedOrigin: 'https://app.example', threads: 1 });
  expect(settingsOf(environment)).toMatchObject({ operationsPort: 9001, threads: 1 });
});

describe('in Kubernetes', () => {
  it.each(['livenessProbe', 'readinessProbe'] as const)('the %s asks the operations port', async (name) => {
    const { path, port } = container[name].httpGet;
    expect((await ask(running, path)).status).toBe(200);
    const { containerPort } = ports.find((each) => each.name === port) ?? {};
    expect(String(containerPort)).toBe(environment.OPERATIONS_PORT);
  });

  test('the delay and the 5 s of a stop fit into the grace period', () => {
    const { shutdownDelay } = settingsOf(environment);
    expect(shutdownDelay).toBeGreaterThan(0);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(shutdownDelay + 5);
  });

  test('the Service and the budget select the pods', () => {
    const { labels } = deployment.spec.template.metadata;
    expect([service.spec.selector, budget.spec.selector.matchLabels]).toEqual([labels, labels]);
    expect(ports.map(({ name }) => name)).toContain(service.spec.ports[0].targetPort);
  });
});

test('every metric and label of the alert rules is in /metrics', async () => {
  const { body } = await ask(running, '/metrics');
  const series = Array.from(ALERTS.matchAll(/\bfood_lookup_\w+(?:\{[^}]*\})?/g), ([found]) => found);
  expect(series.length).toBeGreaterThan(6);
  for (const each of series) expect(body).toMatch(new RegExp(`^${each.replace(/\}$/, '')}[ {},]`, 'm'));
});

describeWithProgram('promtool', () => {
  test('raises each alert, and none while all is well', async () => {
    const { stdout } = await execute('promtool', ['test', 'rules', 'test/deploy/alerts.yml']);
    expect(stdout).toContain('SUCCESS');
  });
});
