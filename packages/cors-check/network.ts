/** Sends one request, and explains why one failed. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { systemCode } from '#core';
import type { Network } from './browser-fetch.ts';
import type { HeaderFields } from './fetch-rules.ts';

/** Bytes of headers that Chromium accepts in an answer. */
const MAX_HEADERS = 256 * 1024;

/** Sends over the network, each request by a connection of its own. @param timeout ms for one answer */
export function overNetwork(timeout: number): Network {
  const send: Network['send'] = async ({ method, url, headers }) => {
    const signal = AbortSignal.timeout(timeout);
    try {
      const request = (url.protocol === 'https:' ? requestByHttps : requestByHttp)(url, {
        method,
        agent: false,
        maxHeaderSize: MAX_HEADERS,
        signal,
      });
      // Node.js makes capitals of "patch", which browsers send as it is.
      request.method = method;
      for (const [name, value] of COMMON_HEADERS) request.setHeader(name, value);
      for (const [name] of headers) request.removeHeader(name);
      for (const [name, value] of headers) request.appendHeader(name, value);
      const [answer] = (await once(request.end(), 'response')) as [IncomingMessage];
      request.on('error', () => {}).destroy();
      const { statusCode: status = 0, headersDistinct } = answer;
      if (status < 100) return { code: 'no-connection', value: NOT_HTTP };
      const fields = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
        values.map((value) => [name, value] as const),
      );
      return { status, headers: fields };
    } catch (error) {
      const value = signal.aborted ? `no answer within ${timeout / 1000} s` : reasonOf(error);
      return { code: 'no-connection', value };
    }
  };
  const addressOf = async (name: string) => (await lookup(name).catch(() => undefined))?.address;
  return { send, addressOf };
}

/** A browser sends these with every request, except those that the page sets itself. */
const COMMON_HEADERS: HeaderFields = [
  ['Accept', '*/*'],
  ['User-Agent', 'food-lookup check-cors'],
  ['Sec-Fetch-Mode', 'cors'],
  ['Sec-Fetch-Dest', 'empty'],
];

const NOT_HTTP = 'its answer is not HTTP';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; check that the service is running, and that the port is right',
  ENOTFOUND: 'there is no such host; check the name',
  EAI_AGAIN: 'the host name cannot be looked up; check the network',
  ECONNRESET: 'the connection was closed, as happens between http and https',
  HPE_HEADER_OVERFLOW: 'its headers are larger than 256 KB in all; send fewer or shorter ones',
  EHOSTUNREACH: 'there is no route to that host; check the network',
  ENETUNREACH: 'there is no route to that host; check the network',
  CERT_HAS_EXPIRED: 'its certificate has expired; renew it',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for other host names; use one of them, or get a certificate for this name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed, which no browser trusts',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is signed by an unknown authority; add it to NODE_EXTRA_CA_CERTS and to the browser',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is sent without the one that signed it; send the whole chain',
};

function reasonOf(error: unknown): string {
  const code = systemCode(error instanceof AggregateError ? error.errors[0] : error) ?? '';
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (/^(CERT_|UNABLE_TO_|ERR_TLS_CERT)/.test(code)) return `its certificate cannot be trusted (${code})`;
  if (/^(ERR_SSL|EPROTO)/.test(code)) return 'it does not speak https on that port';
  if (code.startsWith('HPE_')) return NOT_HTTP;
  return error instanceof Error ? error.message : String(error);
}
