/**
 * Sends one request, and explains why one failed.
 */
import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { buildConnector, EnvHttpProxyAgent, errors, request } from 'undici';
import { systemCode } from '../system/errors.ts';
import type { Network } from './browser-fetch.ts';
import type { HeaderFields } from './fetch-rules.ts';

/** Bytes of headers that Chromium accepts in an answer. */
const MAX_HEADERS = 256 * 1024;

/** Sends over the network, or through the proxy that the environment names. @param timeout ms for one answer */
export function overNetwork(timeout: number): Network & { close(): Promise<void> } {
  const connect = buildConnector({ timeout });
  const dispatcher = new EnvHttpProxyAgent({
    connect: (options, callback) =>
      connect(options, (...[error, socket]) =>
        error === null ? callback(null, skipInterim(socket)) : callback(error, null),
      ),
    // Each request has its own connection.
    pipelining: 0,
    maxHeaderSize: MAX_HEADERS,
  });
  const send: Network['send'] = async ({ method, url, headers }) => {
    try {
      const answer = await request(url, {
        method: method as 'GET',
        headers: [...commonHeaders(headers), ...headers].flat(),
        dispatcher,
        signal: AbortSignal.timeout(timeout),
      });
      answer.body.on('error', () => {}).destroy();
      const fields = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? ''].flat().map((each) => [name, each] as const),
      );
      return { status: answer.statusCode, headers: fields };
    } catch (error) {
      return { code: 'no-connection', value: reasonOf(error, timeout) };
    }
  };
  const addressOf = (name: string) =>
    lookup(name).then(
      ({ address }) => address,
      () => undefined,
    );
  return { send, addressOf, close: () => dispatcher.close() };
}

/** The headers that a browser sends with every request, except those that the page sets itself. */
function commonHeaders(own: HeaderFields): HeaderFields {
  const set = own.map(([name]) => name.toLowerCase());
  return COMMON_HEADERS.filter(([name]) => !set.includes(name.toLowerCase()));
}

const COMMON_HEADERS: HeaderFields = [
  ['Accept', '*/*'],
  ['User-Agent', 'food-lookup check-cors'],
  ['Sec-Fetch-Mode', 'cors'],
  ['Sec-Fetch-Dest', 'empty'],
];

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; check that the service is running, and that the port is right',
  ENOTFOUND: 'there is no such host; check the name',
  EAI_AGAIN: 'the host name cannot be looked up; check the network',
  ECONNRESET: 'the connection was closed, as happens between http and https',
  UND_ERR_SOCKET: 'the connection was closed, as happens between http and https',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are larger than 256 KB in all; send fewer or shorter ones',
  // Of the client's parser, for a status below 100.
  ERR_ASSERTION: 'its answer is not HTTP',
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

function reasonOf(error: unknown, timeout: number): string {
  const code =
    systemCode(error) ?? (error instanceof AggregateError ? systemCode(error.errors[0]) : undefined);
  const known = REASONS[code ?? ''];
  if (known !== undefined) return known;
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || code?.endsWith('TIMEOUT') || code === 'ETIMEDOUT') {
    return `no answer within ${timeout / 1000} s`;
  }
  if (/^(CERT_|UNABLE_TO_|ERR_TLS_CERT)/.test(code ?? ''))
    return `its certificate cannot be trusted (${code})`;
  if (/^(ERR_SSL|EPROTO)/.test(code ?? '')) return 'it does not speak https on that port';
  if (error instanceof errors.HTTPParserError) return 'its answer is not HTTP';
  return error instanceof Error ? error.message : String(error);
}

/**
 * Skips interim answers, such as `100 Continue` and `103 Early Hints`, in the input of a connection that serves one request.
 * Browsers skip all of them; undici fails at a 100 that it did not request.
 */
function skipInterim(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  let held = '';
  let isOver = false;
  socket.read = (size?: number): Buffer | null => {
    for (let chunk: Buffer | null = read(size); chunk !== null; chunk = read(size)) {
      if (isOver) return chunk;
      held = (held + chunk.toString('latin1')).replace(WHOLE_INTERIM, '');
      isOver = !MAYBE_INTERIM.test(held + EXAMPLE.slice(held.length)) || held.length > MAX_HEADERS;
      if (isOver) return Buffer.from(held, 'latin1');
    }
    return null;
  };
  return socket;
}

/** 101 ends HTTP and does not count. */
const WHOLE_INTERIM = /^(HTTP\/1\.\d 1(?!01)\d\d[\s\S]*?\r\n\r\n)+/;
const MAYBE_INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d/;

/** What an answer that has just begun may turn out to be. */
const EXAMPLE = 'HTTP/1.1 100';
