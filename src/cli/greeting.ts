/**
 * What `food-lookup serve` prints as soon as it listens.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { FoodCatalog } from '../catalog.ts';
import { foodCount } from '../food.ts';
import { settingShown } from '../paths.ts';
import type { Settings } from '../settings/settings.ts';

export function greeting(
  { host, allowedOrigin, connectionLimit }: Settings & { readonly connectionLimit?: string },
  catalog: FoodCatalog,
  app: FastifyInstance,
  operationsApp: FastifyInstance | undefined,
): string[] {
  const { name, foods, leftOut, remarks = [] } = catalog.dataSet;
  const shownHost = host === undefined ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const address = ({ server }: FastifyInstance) =>
    `http://${shownHost}:${(server.address() as AddressInfo).port}`;
  const change = `To change it: ${settingShown('ALLOWED_ORIGIN', 'https://app.example')}`;
  const readers =
    allowedOrigin === undefined
      ? `pages on other origins cannot read the answers. ${change} (or * for all)`
      : allowedOrigin === '*'
        ? `pages on every origin may read the answers. ${change}`
        : `pages on ${allowedOrigin} may read the answers. ${change} (or * for all)`;
  return [
    `food-lookup listens on ${address(app)}/${host === undefined ? ' (every interface)' : ''}`,
    `  data set   ${name}: ${foodCount(foods)}${leftOut > 0 ? `, ${leftOut.toLocaleString('en')} ${leftOut === 1 ? 'row' : 'rows'} without a description left out` : ''}`,
    ...remarks.map((remark) => `             ${remark}`),
    `  try        ${address(app)}/api/food?q=${encodeURIComponent(textToTry(catalog))}`,
    `  API        ${address(app)}/docs`,
    ...(operationsApp === undefined ? [] : [`  health     ${address(operationsApp)}/health/ready`]),
    ...(connectionLimit === undefined ? [] : [`  limit      connections: ${connectionLimit}`]),
    `  origins    ${readers}`,
  ];
}

const USUAL = 'egg';

/** A text that finds something, also in a data set without eggs, which would look broken. */
function textToTry(catalog: FoodCatalog): string {
  const [first] = catalog.records?.() ?? [];
  if (first === undefined || String(catalog.search(USUAL)) !== '[]') return USUAL;
  return /[\p{L}\p{N}]+/u.exec(first.description)?.[0].toLowerCase() ?? USUAL;
}
