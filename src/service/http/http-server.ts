/**
 * Node.js' HTTP server, completed by what HTTP demands and Node.js leaves out. It finds faults of requests, and answers input that
 * never becomes a request: bytes that are not HTTP (400), headers that are too long (431), requests that take too long to arrive
 * (408), and CONNECT (405). Such an answer is the last one of its connection and waits for the answers before it.
 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { systemCode } from '#core';
import { SEARCH } from '../operations/outcomes.ts';
import { dropExpectation, hasInput } from './node-http.ts';
import { errorResult, header, type Result } from './responses.ts';

const OPTIONS = {
  /** Bytes of request line and headers together; past it Node.js answers 431. */
  maxHeaderSize: 32 * 1024,
  /** Node.js would answer without a body; `requestFaultOf` checks it instead. */
  requireHostHeader: false,
  /** ms; 0: `Connections` closes idle connections. */
  keepAliveTimeout: 0,
  /** ms for the headers, and for all of a request; past them 408. */
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /** ms between two checks of these. */
  connectionsCheckingInterval: 100,
};

/**
 * What `createServer` does not take. A client that closes its sending side still gets its answers; then Node.js closes the
 * connection (a property of every version, without a type). Headers are bounded by their bytes alone: Node.js would silently
 * drop those beyond a number, even a second `Host`.
 */
const SERVER_PROPERTIES = { httpAllowHalfOpen: true, maxHeadersCount: 0 };

/** @param refuse ends a connection with a fault, after the answers to its earlier requests */
export function createHttpServer(refuse: (fault: Fault, socket: Socket) => void): Server {
  const server = Object.assign(createServer(OPTIONS), SERVER_PROPERTIES);
  server.on('request', ignoreUpgrade);
  // Node.js would refuse an unknown `Expect`, with an empty body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request, response) => {
    const isContinued = hasInput(request);
    // A client that has its answer may or may not send the body.
    if (isContinued) response.shouldKeepAlive = false;
    else dropExpectation(response);
    server.emit('request', request, response);
    if (isContinued) inviteInput(response);
  });
  // Node.js would close the connection without an answer, and no longer reports its errors.
  server.on('connect', (_request, socket) => refuse(NO_TUNNEL, socket.on('error', () => {}) as Socket));
  return server;
}

/**
 * Writes `100 Continue`, unless the answer is decided without the body (RFC 9110, 10.1.1). In a pipeline it waits until the
 * answers before are written: Node.js would write it between the head and the body of the answer.
 */
function inviteInput(response: ServerResponse): void {
  if (response.headersSent) return;
  if (response.socket === null) response.once('socket', () => inviteInput(response));
  else response.writeContinue();
}

/**
 * Lets the connection of a request to change the protocol end with its answer, in HTTP (RFC 9110, 7.8). What follows may be in
 * the other protocol: Node.js drops the rest of the same segment, and would read the next one as a new request.
 */
function ignoreUpgrade(request: IncomingMessage, response: ServerResponse): void {
  const { upgrade, connection = '' } = request.headers;
  if (!upgrade || !/\bupgrade\b/i.test(connection)) return;
  response.shouldKeepAlive = false;
  if (hasInput(request)) request.once('end', () => discardInput(request.socket));
  else discardInput(request.socket);
}

/** ms that a client has to read the answer before its connection is closed. */
const LINGER = 1000;

export type Fault = Result & { readonly body: Buffer };

export const TIMED_OUT = errorResult(408, 'The request took too long to arrive.');
const HEADERS_TOO_LONG = errorResult(431, 'The request line and the headers are too long.');
/** For CONNECT, after which Node.js takes the connection for a tunnel. */
const NO_TUNNEL = errorResult(
  405,
  'Method CONNECT is not allowed here: this is not a proxy.',
  header('Allow', SEARCH.methods),
);
const NOT_ENCODED = errorResult(
  400,
  'The address of the request contains a character outside ASCII. It must be percent-encoded: %C3%A9 for é.',
);
const NOT_HTTP = errorResult(400, 'The request is not valid HTTP.');
const LATER_VERSION = errorResult(505, 'The service understands HTTP/1.1, and no later version.');
const FRAGMENT = errorResult(
  400,
  'The address of the request contains a #. It must be percent-encoded: %23.',
);
const badHost = (what: string): Fault => errorResult(400, `The header Host is ${what}.`);
const TWO_HOSTS = badHost('there more than once');
const NO_HOST = badHost('missing');
const NOT_A_HOST = badHost('neither a name nor an address, with or without a port');

/** @param error of the parser of Node.js */
export function faultOf(error: Error): Fault {
  const { rawPacket, bytesParsed = 0 } = error as { rawPacket?: Buffer; bytesParsed?: number };
  switch (systemCode(error)) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return TIMED_OUT;
    case 'HPE_HEADER_OVERFLOW':
      return HEADERS_TOO_LONG;
    case 'HPE_INVALID_URL':
      return (rawPacket?.[bytesParsed] ?? 0) >= 0x80 ? NOT_ENCODED : NOT_HTTP;
    default:
      return NOT_HTTP;
  }
}

/** A name, which may be empty, or an IPv4 address (RFC 3986, 3.2.2); and a port. */
const NAME = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d*)?$/i;

/** An IPv6 address, as some clients write it with its zone: `[fe80::1%eth0]:3001`. */
const IPV6 = /^\[([\da-f:.]+)(?:%[\w.~-]+)?\](?::\d*)?$/i;

/** The last valid `Host`: most requests have the same. */
let lastHost = '';

/** The fault of a request, after which its connection is closed. For `Host` see RFC 9112, 3.2. */
export function requestFaultOf(request: IncomingMessage): Fault | undefined {
  if (request.httpVersionMajor > 1) return LATER_VERSION;
  return hostFaultOf(request) ?? (request.url?.includes('#') ? FRAGMENT : undefined);
}

function hostFaultOf({ httpVersion, rawHeaders }: IncomingMessage): Fault | undefined {
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return TWO_HOSTS;
    host = rawHeaders[i + 1] as string;
  }
  if (host === undefined) return httpVersion === '1.1' ? NO_HOST : undefined;
  if (host === lastHost) return undefined;
  if (!NAME.test(host) && !isIPv6(IPV6.exec(host)?.[1] ?? '')) return NOT_A_HOST;
  lastHost = host;
  return undefined;
}

const refused = new WeakSet<Socket>();

/** Whether the last answer is decided: Node.js keeps reporting errors up to the end of the input. */
export const isRefused = (socket: Socket): boolean => refused.has(socket);

/** Ends a connection with a fault, as soon as all answers before it are written. @param newest answer of the connection */
export function refuse(fault: Fault, socket: Socket, newest: ServerResponse | undefined): void {
  if (isRefused(socket)) return;
  refused.add(socket);
  discardInput(socket);
  inTurn(newest, (isAnswered) => end(socket, isAnswered ? '' : responseOf(fault)));
}

/** Closing with unread bytes would reset the connection, and the client might never see the answer. */
function discardInput(socket: Socket): void {
  socket.removeAllListeners('data').on('data', () => {});
}

/** Waits for the answers before that to a fault. A request at fault that has its answer already gets no second one. */
function inTurn(newest: ServerResponse | undefined, write: (isAnswered: boolean) => void): void {
  // The newest request is the one at fault if its body is incomplete.
  const isAtFault = newest?.req.complete === false;
  if (newest === undefined || newest.closed) write(isAtFault);
  else if (!isAtFault || newest.headersSent) newest.once('close', () => write(isAtFault));
  else if (newest.socket !== null) write(false);
  else newest.once('socket', () => inTurn(newest, write));
}

function end(socket: Socket, response: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer)).end(response);
}

function responseOf({ status, headers, body }: Fault): string {
  const last = header('Content-Length', String(body.length)) + header('Connection', 'close');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}${last}\r\n${body}`;
}
