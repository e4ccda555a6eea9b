/**
 * What `check-cors` says a browser does, held against what Chromium does: the same verdict in every case, and the same
 * requests on the wire.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserFetch, type Course, type PageRequest } from '../../src/cors-check/browser-fetch.ts';
import { namesToAllow, noCorsOutcome, sentMethod } from '../../src/cors-check/fetch-rules.ts';
import { overNetwork } from '../../src/cors-check/network.ts';
import { BLOCKED_PORTS, unreachable } from '../../src/cors-check/reachable.ts';
import { launchBrowser } from '../support/browser.ts';
import { makeCertificate } from '../support/certificate.ts';
import type { Asked, Case, Places } from '../support/cors-cases/case.ts';
import { CASES } from '../support/cors-cases.ts';
import { temporaryFolder } from '../support/files.ts';
import { seeded } from '../support/random.ts';
import { describeWithChromium } from '../support/requirements.ts';

const folder = temporaryFolder();

const INTERIM = {
  '100': (response: ServerResponse) => response.writeContinue(),
  '102': (response: ServerResponse) => response.writeProcessing(),
  '103': (response: ServerResponse) => response.writeEarlyHints({ link: '</x.css>; rel=preload' }),
};

/** What decides, of a request that arrived. */
type Seen = readonly [
  method: string,
  url: string,
  origin?: string,
  asksMethod?: string,
  asksHeaders?: string,
];

describeWithChromium('a browser and check-cors', () => {
  const servers: Server[] = [];
  const origins: string[] = [];
  /** By who asked and which case: `b12` for the browser, `c12` for the check. */
  const seen = new Map<string, Seen[]>();
  let cases: readonly Case[] = [];
  /** Begins the path, so that no preflight of an earlier test is remembered. */
  let round = 0;
  let browser: Browser;
  let page: Page;
  const send = overNetwork(5000);

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const [, who = '', number = '', path = ''] = /^\/\d+([bc])(\d+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const each = cases[Number(number)];
    if (who === '' || each === undefined) {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>A page</title>');
      return;
    }
    const key = `${who}${number}`;
    const { method = '', headers } = request;
    const arrived: Seen = [
      method,
      `${servers.indexOf((request.socket as unknown as { server: Server }).server)}${path}`,
      ...([
        headers.origin,
        headers['access-control-request-method'],
        headers['access-control-request-headers'],
      ] as [string?, string?, string?]),
    ];
    seen.set(key, [...(seen.get(key) ?? []), arrived]);
    const asked: Asked = { method, path, origin: headers.origin, headers };
    const { status, headers: fields, interim = [] } = each.answer(asked, placesOf(`${round}${key}`));
    for (const code of interim) INTERIM[code](response);
    response.writeHead(status, [['Cache-Control', 'no-store'], ...fields].flat() as string[]).end();
  };
  const placesOf = (prefix: string): Places => {
    const [home = '', here = '', other = '', third = ''] = origins.map((origin) => `${origin}/${prefix}`);
    return { page: origins[0] ?? '', home, here, other, third };
  };

  beforeAll(async () => {
    for (let i = 0; i < 4; i++) {
      const server = createServer(answer).listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
      origins.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
    browser = await launchBrowser('--host-resolver-rules=MAP *.test 127.0.0.1, MAP *.local 127.0.0.1');
    page = await browser.newPage();
    await page.goto(`${origins[0]}/`);
  });
  afterAll(async () => {
    await browser.close();
    await send.close();
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
  });

  const addressOf = (who: 'b' | 'c', each: Case): string =>
    `${origins[1]}/${round}${who}${cases.indexOf(each)}${each.path ?? '/first'}`;

  /** Whether each fetch of a page succeeds. */
  const inBrowser = (from: Page | Frame, some: readonly Case[]): Promise<boolean[]> =>
    from.evaluate(
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
        url: addressOf('b', each),
        method: each.method ?? 'GET',
        headers: { ...each.headers },
        credentials: each.credentials === true ? ('include' as const) : ('same-origin' as const),
      })),
    );

  const inCheck = (each: Case, origin = origins[0] ?? ''): Promise<Course> => {
    const request: PageRequest = {
      url: new URL(addressOf('c', each)),
      origin,
      method: sentMethod(each.method ?? 'GET'),
      headers: Object.entries(each.headers ?? {}),
      credentials: each.credentials === true,
    };
    return browserFetch(request, send);
  };

  /** All cases on both sides: those where verdict or requests differ. */
  const differences = async (from: Page | Frame, origin?: string): Promise<unknown[]> => {
    round++;
    const wrong: unknown[] = [];
    const verdicts: boolean[] = [];
    for (let start = 0; start < cases.length; start += 25) {
      verdicts.push(...(await inBrowser(from, cases.slice(start, start + 25))));
    }
    for (const [i, each] of cases.entries()) {
      const { fault } = await inCheck(each, origin);
      const onWire = [seen.get(`b${i}`) ?? [], seen.get(`c${i}`) ?? []];
      if (verdicts[i] !== (fault === undefined) || JSON.stringify(onWire[0]) !== JSON.stringify(onWire[1])) {
        const check = fault?.code ?? 'may read';
        wrong.push({ name: each.name, browser: verdicts[i], check, onWire: onWire.map(String) });
      }
    }
    seen.clear();
    return wrong;
  };

  test(`agree in ${CASES.length} cases, on the wire as well`, async () => {
    cases = CASES;
    expect(await differences(page)).toEqual([]);
  });

  test('agree for a page without an origin, in a sandboxed frame', async () => {
    cases = CASES.slice(0, 46);
    const frame = await sandboxed(page);
    expect(await differences(frame, 'null')).toEqual([]);
  });

  test('agree in 400 answers put together at random', async () => {
    cases = randomCases(400, 11);
    expect(await differences(page)).toEqual([]);
  });

  test('agree on the ports that no page may ask', async () => {
    const near = [...BLOCKED_PORTS].flatMap((port) => [port - 1, port, port + 1]);
    const ports = [...new Set(near)].filter((port) => port >= 0 && port <= 65535);
    const refused = new Set<number>();
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'net::ERR_UNSAFE_PORT')
        refused.add(Number(new URL(request.url()).port));
    });
    await page.evaluate(
      (all) => Promise.allSettled(all.map((port) => fetch(`http://127.0.0.1:${port}/`, { mode: 'no-cors' }))),
      ports.filter((port) => port !== 80),
    );
    const ours = ports.filter(
      (port) => unreachable(new URL(`http://127.0.0.1:${port}/`), origins[0] ?? '') !== undefined,
    );
    const inOrder = (some: Iterable<number>) => [...some].toSorted((a, b) => a - b);
    await expect.poll(() => inOrder(refused)).toEqual(inOrder(ours));
  });

  test('agree on what a page in mode no-cors gets', async () => {
    const policies = [
      undefined,
      'same-origin',
      'same-site',
      'cross-origin',
      'Same-Origin',
      'none',
      'same-origin, same-site',
    ];
    const hosts = ['127.0.0.1', 'localhost', 'a.localhost', 'app.test', 'api.app.test', 'other.test'];
    cases = policies.map((policy) => ({
      name: String(policy),
      answer: () => ({ status: 200, headers: policyHeader(policy) }),
    }));
    const portOf = (i: number) => new URL(origins[i] ?? '').port;
    for (const host of ['127.0.0.1', 'localhost', 'app.test']) {
      const origin = `http://${host}:${portOf(0)}`;
      await page.goto(`${origin}/`);
      for (const target of hosts) {
        const urls = cases.map((each) => addressOf('b', each).replace('127.0.0.1', target));
        const outcomes = await page.evaluate(
          (all) =>
            Promise.all(
              all.map((url) =>
                fetch(url, { mode: 'no-cors' }).then(
                  ({ type }) => type,
                  () => 'failure',
                ),
              ),
            ),
          urls,
        );
        const ours = urls.map((url, i) =>
          noCorsOutcome({ status: 200, headers: policyHeader(policies[i]) }, origin, new URL(url)),
        );
        // Only the list of public suffixes tells; here the two are of one site.
        const told = ours.map((each) => (each === 'by site' ? 'opaque' : each));
        expect(outcomes, `${target} from ${host}`).toEqual(told);
      }
    }
  });

  test('agree on what a page that came by https may ask', async () => {
    const { key, cert } = await makeCertificate(folder.path('site'), 'DNS:localhost');
    const site = createTlsServer({ key, cert }, (_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>A page by https</title>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const secure = await context.newPage();
    const origin = `https://localhost:${(site.address() as AddressInfo).port}`;
    await secure.goto(origin);
    cases = [
      {
        name: 'by https',
        answer: ({ path }, { page: _, here }) =>
          path === '/first'
            ? { status: 200, headers: [['Access-Control-Allow-Origin', '*']] }
            : {
                status: 302,
                headers: [
                  ['Access-Control-Allow-Origin', '*'],
                  ['Location', `${here.replace('127.0.0.1', 'api.test')}/first`],
                ],
              },
      },
    ];
    const outcomes: unknown[] = [];
    for (const host of ['127.0.0.1', 'localhost', 'a.localhost', 'api.test', 'nas.local', '0.0.0.0']) {
      const [each] = cases;
      if (each === undefined) throw new Error('no case');
      const url = addressOf('b', each).replace('127.0.0.1', host);
      const reads = await secure.evaluate(
        (to) =>
          fetch(to).then(
            () => true,
            () => false,
          ),
        url,
      );
      // Where it is asked at all, the server answers it by any name.
      const course = await browserFetch(
        { url: new URL(url), origin, method: 'GET', headers: [], credentials: false },
        (sent) => send({ ...sent, url: new URL(sent.url.href.replace(host, '127.0.0.1')) }),
      );
      outcomes.push([host, reads, course.fault?.code ?? 'may read']);
      if (host === '127.0.0.1') {
        const redirected = url.replace('/first', '/away');
        const follows = await secure.evaluate(
          (to) =>
            fetch(to).then(
              () => true,
              () => false,
            ),
          redirected,
        );
        const { fault } = await browserFetch(
          { url: new URL(redirected), origin, method: 'GET', headers: [], credentials: false },
          send,
        );
        outcomes.push(['a redirect to api.test', follows, fault?.code ?? 'may read']);
      }
    }
    expect(outcomes).toEqual([
      ['127.0.0.1', true, 'may read'],
      ['a redirect to api.test', false, 'mixed-content'],
      ['localhost', true, 'may read'],
      ['a.localhost', true, 'may read'],
      ['api.test', false, 'mixed-content'],
      ['nas.local', true, 'may read'],
      ['0.0.0.0', true, 'may read'],
    ]);
    await context.close();
    site.close();
  });
});

const policyHeader = (policy: string | undefined): [string, string][] =>
  policy === undefined ? [] : [['Cross-Origin-Resource-Policy', policy]];

/** A frame whose origin is `null`. */
async function sandboxed(page: Page): Promise<Frame> {
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    frame.srcdoc = '<title>no origin</title>';
    document.body.append(frame);
  });
  await expect.poll(() => page.frames().length).toBe(2);
  const [, frame] = page.frames();
  if (frame === undefined) throw new Error('no frame');
  return frame;
}

/** Requests and answers of parts that are right or nearly so. */
function randomCases(count: number, seed: number): Case[] {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const origin = (): string | undefined =>
    pick(['PAGE', 'PAGE', 'PAGE', '*', '*', 'null', undefined, 'PAGE/']);
  const fieldsOf = (): [string, string][] => {
    const fields: [string, string | undefined][] = [
      ['Access-Control-Allow-Origin', origin()],
      ['Access-Control-Allow-Credentials', pick(['true', 'true', undefined, 'TRUE'])],
      ['Access-Control-Allow-Methods', pick(['PUT, PATCH', '*', undefined, 'put', 'GET,PUT', 'PUT DELETE'])],
      [
        'Access-Control-Allow-Headers',
        pick(['x-diary, Authorization', '*', 'X-Diary', undefined, 'content-type, x-diary', 'x-diary;']),
      ],
    ];
    return fields.filter((field): field is [string, string] => field[1] !== undefined);
  };
  return Array.from({ length: count }, (_, i): Case => {
    const [preflight, simple, next] = [fieldsOf(), fieldsOf(), fieldsOf()];
    const code = pick([200, 200, 200, 204, 404, 302]);
    const hops = pick([0, 0, 0, 1, 2]);
    const to = pick(['here', 'other', 'home'] as const);
    const headers = pick([
      {},
      {},
      { 'x-diary': '1' },
      { authorization: 'x' },
      { 'content-type': 'application/json' },
    ]);
    return {
      name: `random ${i}`,
      method: pick(['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      headers: headers as Record<string, string>,
      credentials: random(3) === 0,
      answer: ({ method, path }, places) => {
        const fill = (fields: [string, string][]) =>
          fields.map(([name, value]) => [name, value.replace('PAGE', places.page)] as const);
        if (method === 'OPTIONS') return { status: code, headers: fill(preflight) };
        const place = path === '/first' ? 0 : Number(path.slice(1));
        if (place >= hops) return { status: 200, headers: fill(place === 0 ? simple : next) };
        const target = place === 0 ? places[to] : places.third;
        return { status: 307, headers: [['Location', `${target}/${place + 1}`], ...fill(simple)] };
      },
    };
  });
}

test('the random cases are of many kinds', () => {
  const random = randomCases(400, 11);
  expect(new Set(random.map(({ method }) => method)).size).toBe(5);
  expect(
    random.filter(({ headers = {} }) => namesToAllow(Object.entries(headers)).length > 0).length,
  ).toBeGreaterThan(100);
});
