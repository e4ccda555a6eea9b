/** Servers that answer the cross-origin cases, and compare a browser with `check-cors`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Frame, Page } from 'playwright-core';
import { browserFetch, overNetwork, sentMethod } from '#cors-check';
import { EMPTY_PAGE } from './browser.ts';
import type { Answer, Case } from './cors-cases.ts';
import { listen } from './listen.ts';

/** The client: a browser or `check-cors`. */
type Client = 'b' | 'c';

/** Whether `fetch` succeeds in the page. */
export const canRead = (from: Page | Frame, url: string, init: RequestInit = {}): Promise<boolean> =>
  from.evaluate(
    ([to, options]) =>
      fetch(to, options).then(
        () => true,
        () => false,
      ),
    [url, init] as const,
  );

const INTERIM = {
  '100': (response: ServerResponse) => response.writeContinue(),
  '102': (response: ServerResponse) => response.writeProcessing(),
  '103': (response: ServerResponse) => response.writeEarlyHints({ link: '</x.css>; rel=preload' }),
};

export class CorsServers {
  readonly origins: string[] = [];
  readonly network = overNetwork(5000);
  readonly #servers: Server[] = [];
  /** The relevant parts of each request, by client and case: `b12` for the browser, `c12` for `check-cors`. */
  readonly #seen = new Map<string, string[]>();
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

  get page(): string {
    return this.origins[0] ?? '';
  }

  portOf(server: number): number {
    return Number(new URL(this.origins[server] ?? '').port);
  }

  set cases(cases: readonly Case[]) {
    this.#cases = cases;
    this.#round++;
    this.#seen.clear();
  }

  addressOf(who: Client, each: Case): string {
    return `${this.origins[1]}/${this.#round}${who}${this.#cases.indexOf(each)}/0`;
  }

  arrivals(who: Client, each: Case): number {
    return this.#seen.get(`${who}${this.#cases.indexOf(each)}`)?.length ?? 0;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const [, prefix = '', key = '', number = '', path = ''] =
      /^(\/\d+([bc](\d+)))(\/.*)$/.exec(request.url ?? '') ?? [];
    const each = this.#cases[Number(number)];
    if (key === '' || each === undefined) return void EMPTY_PAGE(request, response);
    const { method = '', headers, socket } = request;
    const arrived = [
      method,
      `${socket.localPort}${path}`,
      headers.origin,
      headers['access-control-request-method'],
      headers['access-control-request-headers'],
    ].join();
    this.#seen.set(key, [...(this.#seen.get(key) ?? []), arrived]);
    const answers = (method === 'OPTIONS' && each.preflights) || each.answers;
    const hop = /^\/\d+$/.test(path) ? Number(path.slice(1)) : 1;
    const answer = answers[Math.min(hop, answers.length - 1)] as Answer;
    for (const code of answer.interim ?? []) INTERIM[code](response);
    const fields = [['Cache-Control', 'no-store'], ...answer.headers].flat();
    response.writeHead(
      answer.status,
      fields.map((field) => this.#filled(field, prefix)),
    );
    response.end();
  }

  /** The text with addresses instead of their names. */
  #filled(text: string, prefix: string): string {
    const [home = '', here = '', other = '', third = ''] = this.origins.map((origin) => new URL(origin).host);
    const places = {
      PAGE: home,
      HOME: home + prefix,
      HERE: here + prefix,
      OTHER: other + prefix,
      THIRD: third + prefix,
      FAR: here.replace('127.0.0.1', 'api.test') + prefix,
    };
    return Object.entries(places).reduce((all, [name, address]) => all.replaceAll(name, address), text);
  }

  /** Runs all cases in both clients; returns those whose verdict or requests differ. */
  async differences(from: Page | Frame, cases: readonly Case[], origin = this.page): Promise<unknown[]> {
    this.cases = cases;
    const wrong: unknown[] = [];
    for (let start = 0; start < cases.length; start += 25) {
      const some = cases.slice(start, start + 25);
      const compare = async (each: Case, i: number) => {
        const { method = 'GET', headers = {}, credentials = false } = each;
        const init = { method, headers, credentials: credentials ? 'include' : 'same-origin' } as const;
        const url = new URL(this.addressOf('c', each));
        const request = { method: sentMethod(method), headers: Object.entries(headers), credentials };
        const sent = { url, origin, ...request };
        const [browser, { fault }] = await Promise.all([
          canRead(from, this.addressOf('b', each), init),
          browserFetch(sent, this.network),
        ]);
        const onWire = (['b', 'c'] as const).map((who) => this.#seen.get(who + (start + i))?.join('; '));
        if (browser !== (fault === undefined) || onWire[0] !== onWire[1])
          wrong.push({ ...each, browser, check: fault?.code ?? 'may read', onWire });
      };
      await Promise.all(some.map(compare));
    }
    return wrong;
  }
}
