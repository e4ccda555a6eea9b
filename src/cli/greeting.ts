/**
 * What `food-lookup serve` prints as soon as it listens.
 */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { DataSet } from '../catalog.ts';
import type { Settings } from '../settings/settings.ts';

export function greeting(
  { host, allowedOrigin }: Settings,
  { name, foods, leftOut, remarks = [] }: DataSet,
  app: FastifyInstance,
  operationsApp: FastifyInstance | undefined,
): string[] {
  const shownHost = host === undefined ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const address = ({ server }: FastifyInstance) =>
    `http://${shownHost}:${(server.address() as AddressInfo).port}`;
  const readers =
    allowedOrigin === undefined
      ? 'pages on other origins cannot read the answers. To change it: ALLOWED_ORIGIN=https://app.example (or * for all)'
      : allowedOrigin === '*'
        ? 'pages on every origin may read the answers. To change it: ALLOWED_ORIGIN=https://app.example'
        : `pages on ${allowedOrigin} may read the answers. To change it: ALLOWED_ORIGIN=https://app.example (or * for all)`;
  return [
    `food-lookup listens on ${address(app)}/${host === undefined ? ' (every interface)' : ''}`,
    `  data set   ${name}: ${foods.toLocaleString('en')} foods${leftOut > 0 ? `, ${leftOut.toLocaleString('en')} rows without a description left out` : ''}`,
    ...remarks.map((remark) => `             ${remark}`),
    `  try        ${address(app)}/api/food?q=egg`,
    `  API        ${address(app)}/docs`,
    ...(operationsApp === undefined ? [] : [`  health     ${address(operationsApp)}/health/ready`]),
    `  origins    ${readers}`,
  ];
}
