/** One request of a page and the answer of a service, for a browser and for `check-cors`. */
import type { IncomingMessage } from 'node:http';

export interface Case {
  readonly name: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: boolean;
  /** Path on the first server, which decides the answer. */
  readonly path?: string;
  answer(request: Asked, at: Places): CaseAnswer;
}

export interface Asked {
  readonly method: string;
  /** The path after the prefix of the case. */
  readonly path: string;
  readonly origin: string | undefined;
  readonly headers: IncomingMessage['headers'];
}

/** Addresses of the servers with the prefix of the case, and the page's origin. */
export interface Places {
  readonly page: string;
  readonly here: string;
  readonly other: string;
  readonly third: string;
  /** The same path on the page's own server. */
  readonly home: string;
}

export interface CaseAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Interim answers before it. */
  readonly interim?: readonly ('100' | '102' | '103')[];
}

export type Fields = CaseAnswer['headers'];
export const ORIGIN = 'Access-Control-Allow-Origin';
export const CREDENTIALS = 'Access-Control-Allow-Credentials';
export const METHODS = 'Access-Control-Allow-Methods';
export const HEADERS = 'Access-Control-Allow-Headers';

export const reply = (...headers: Fields): CaseAnswer => ({ status: 200, headers });
export const status = (code: number, ...headers: Fields): CaseAnswer => ({ status: code, headers });
export const redirect = (to: string, code = 302, ...headers: Fields): CaseAnswer => ({
  status: code,
  headers: [['Location', to], ...headers],
});

/** Answers the preflight with these headers, and allows the request. */
const preflighted =
  (...headers: Fields): Case['answer'] =>
  ({ method }, { page }) =>
    method === 'OPTIONS' ? reply([ORIGIN, page], ...headers) : reply([ORIGIN, page], [CREDENTIALS, 'true']);

/** A request whose preflight is answered with these headers. */
export const preflightCase = (
  name: string,
  request: Pick<Case, 'method' | 'headers' | 'credentials'>,
  ...headers: Fields
): Case => ({ name, ...request, answer: preflighted(...headers) });

export const X = { 'x-diary': '1' };
export const AUTHORIZATION = { authorization: 'Bearer 1' };
