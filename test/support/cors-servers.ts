/** Servers that answer the cross-origin cases, and compare a browser with `check-cors`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Frame, Page } from 'playwright-core';
import { browserFetch, type FetchTrace } from '../../src/cors-check/browser-fetch.ts';
import { sentMethod } from '../../src/cors-check/fetch-rules.ts';
import { overNetwork } from '../../src/cors-check/network.ts';
import type { Asked, Case, Places } from './cors-cases/case.ts';
import { listen } from './listen.ts';

/** The relevant parts of a request that arrived. */
type Seen = readonly [
  method: string,
  url: string,
  origin?: string,
  asksMethod?: string,
  asksHeaders?: string,
];

/** The client: a browser or `check-cors`. */
type Client = 'b' | 'c';

const INTERIM = {
  '100': (response: ServerResponse) => response.writeContinue(),
  '102': (response: ServerResponse) => response.writeProcessing(),
  '103': (response: ServerResponse) => response.writeEarlyHints({ link: '</x.css>; rel=preload' }),
};

export class CorsServers {
  readonly origins: string[] = [];
  readonly network = overNetwork(5000);
  readonly #servers: Server[] = [];
  /** By client and case: `b12` for the browser, `c12` for `check-cors`. */
  readonly #seen = new Map<string, Seen[]>();
  #cases: readonly Case[] = [];
  /** The start of every path, so that no cached preflight of an earlier test applies. */
  #round = 0;

  static async start(): Promise<CorsServers> {
    const all = new CorsServers();
    for (let i = 0; i < 4; i++) {
      const server = createServer((request, response) => all.#answer(request, response));
      all.#servers.push(server);
      all.origins.push(await listen(server));
    }
    return all;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) server.closeAllConnections();
    for (const server of this.#servers) server.close();
  }

  /** The origin of the page. */
  get page(): string {
    return this.origins[0] ?? '';
  }

  portOf(server: number): number {
    return Number(new URL(this.origins[server] ?? '').port);
  }

  /** The cases to answer from now on. */
  set cases(cases: readonly Case[]) {
    this.#cases = cases;
    this.#round++;
    this.#seen.clear();
  }

  addressOf(who: Client, each: Case): string {
    return `${this.origins[1]}/${this.#round}${who}${this.#cases.indexOf(each)}${each.path ?? '/first'}`;
  }

  /** The number of requests that arrived. */
  arrivals(who: Client, each: Case): number {
    return this.#seen.get(`${who}${this.#cases.indexOf(each)}`)?.length ?? 0;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const [, who = '', number = '', path = ''] = /^\/\d+([bc])(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const each = this.#cases[Number(number)];
    if (who === '' || each === undefined) {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>A page</title>');
      return;
    }
    const key = `${who}${number}`;
    const { method = '', headers } = request;
    const arrived: Seen = [
      method,
      `${this.#servers.indexOf((request.socket as unknown as { server: Server }).server)}${path}`,
      ...([
        headers.origin,
        headers['access-control-request-method'],
        headers['access-control-request-headers'],
      ] as [string?, string?, string?]),
    ];
    this.#seen.set(key, [...(this.#seen.get(key) ?? []), arrived]);
    const asked: Asked = { method, path, origin: headers.origin, headers };
    const answer = each.answer(asked, this.#placesOf(`${this.#round}${key}`));
    for (const code of answer.interim ?? []) INTERIM[code](response);
    const fields = [['Cache-Control', 'no-store'], ...answer.headers].flat() as string[];
    response.writeHead(answer.status, fields).end();
  }

  #placesOf(prefix: string): Places {
    const [home = '', here = '', other = '', third = ''] = this.origins.map(
      (origin) => `${origin}/${prefix}`,
    );
    return { page: this.page, home, here, other, third };
  }

  /** Whether each fetch succeeds in the page. */
  #inBrowser(from: Page | Frame, some: readonly Case[]): Promise<boolean[]> {
    return from.evaluate(
      (all) =>
        Promise.all(
          all.map(({ url, ...init }) =>
            fetch(url, init as RequestInit).then(
              () => true,
              () => false,
            ),
          ),
        ),
      some.map((each) => ({
        url: this.addressOf('b', each),
        method: each.method ?? 'GET',
        headers: { ...each.headers },
        credentials: each.credentials === true ? ('include' as const) : ('same-origin' as const),
      })),
    );
  }

  #inCheck(each: Case, origin: string): Promise<FetchTrace> {
    const page = {
      url: new URL(this.addressOf('c', each)),
      origin,
      method: sentMethod(each.method ?? 'GET'),
      headers: Object.entries(each.headers ?? {}),
      credentials: each.credentials === true,
    };
    return browserFetch(page, this.network);
  }

  /** Runs all cases in both clients; returns those whose verdict or requests differ. */
  async differences(from: Page | Frame, cases: readonly Case[], origin = this.page): Promise<unknown[]> {
    this.cases = cases;
    const wrong: unknown[] = [];
    const verdicts: boolean[] = [];
    for (let start = 0; start < cases.length; start += 25) {
      verdicts.push(...(await this.#inBrowser(from, cases.slice(start, start + 25))));
    }
    for (const [i, each] of cases.entries()) {
      const { fault } = await this.#inCheck(each, origin);
      const onWire = [this.#seen.get(`b${i}`) ?? [], this.#seen.get(`c${i}`) ?? []];
      if (verdicts[i] !== (fault === undefined) || JSON.stringify(onWire[0]) !== JSON.stringify(onWire[1])) {
        const check = fault?.code ?? 'may read';
        wrong.push({ name: each.name, browser: verdicts[i], check, onWire: onWire.map(String) });
      }
    }
    return wrong;
  }
}
