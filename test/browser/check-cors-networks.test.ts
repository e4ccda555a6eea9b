/** Compares `check-cors` with Chromium for requests from one network to another, and from https to http. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserFetch, type FetchTrace } from '../../src/cors-check/browser-fetch.ts';
import { unreachable } from '../../src/cors-check/reachable.ts';
import { launchBrowser } from '../support/browser.ts';
import { type Certificate, makeCertificate } from '../support/certificate.ts';
import type { Case, Fields } from '../support/cors-cases/case.ts';
import { CorsServers } from '../support/cors-servers.ts';
import { temporaryFolder } from '../support/files.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { documentedConsoles, isSaid } from './console-cases.ts';

const folder = temporaryFolder();

describeWithChromium('a browser and check-cors', () => {
  let servers: CorsServers;
  let certificate: Certificate;
  let local: Server;
  let publicSite: Server;
  let secureSite: Server;
  let browser: Browser;

  beforeAll(async () => {
    servers = await CorsServers.start();
    certificate = await makeCertificate(folder.path('sites'), 'DNS:localhost,DNS:public.test');
    local = await listen(createServer(emptyPage));
    publicSite = await listen(createServer(emptyPage));
    secureSite = await listen(createTlsServer(certificate, emptyPage));
    const overrides = [
      `127.0.0.1:${portOf(local)}=local`,
      `127.0.0.1:${portOf(publicSite)}=public`,
      `127.0.0.1:${portOf(secureSite)}=public`,
      `127.0.0.1:${servers.portOf(2)}=public`,
    ];
    browser = await launchBrowser(
      '--host-resolver-rules=MAP *.test 127.0.0.1, MAP *.local 127.0.0.1, MAP *.example.com 127.0.0.1',
      `--ip-address-space-overrides=${overrides.join(',')}`,
    );
  });
  afterAll(async () => {
    await browser.close();
    await servers.close();
    for (const server of [local, publicSite, secureSite]) server.close();
  });

  describe('agree on what an https page may request:', () => {
    let secure: Page;
    let origin = '';
    let site: Server;

    beforeAll(async () => {
      site = await listen(createTlsServer(certificate, emptyPage));
      origin = `https://localhost:${portOf(site)}`;
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      secure = await context.newPage();
      await secure.goto(origin);
    });
    afterAll(() => site.close());

    test.each([
      ['127.0.0.1', 'may read'],
      ['localhost', 'may read'],
      ['a.localhost', 'may read'],
      ['0.0.0.0', 'may read'],
      ['nas.local', 'may read'],
      ['api.test', 'mixed-content'],
      ['10.example.com', 'mixed-content'],
      ['127.example.com', 'mixed-content'],
    ])('%s: %s', async (host, outcome) => {
      const each: Case = { name: host, answer: () => ({ status: 200, headers: ALLOW }) };
      servers.cases = [each];
      const url = servers.addressOf('b', each).replace('127.0.0.1', host);
      expect(await reads(secure, url)).toBe(outcome === 'may read');
      expect(await outcomeOf(url, origin)).toBe(outcome);
    });

    test('a redirect to mixed content', async () => {
      const each: Case = {
        name: 'redirect',
        answer: (_, { here }) => ({
          status: 302,
          headers: [...ALLOW, ['Location', here.replace('127.0.0.1', 'api.test')]],
        }),
      };
      servers.cases = [each];
      expect(await reads(secure, servers.addressOf('b', each))).toBe(false);
      expect(await outcomeOf(servers.addressOf('c', each), origin)).toBe('mixed-content');
    });

    test('every address and name that may be near', async () => {
      // No request leaves the machine: Chromium rejects mixed content before the route aborts the rest.
      await secure.route('http://**', (route) => route.abort());
      const mixed = new Set<string>();
      secure.on('requestfailed', (request) => {
        if (request.failure()?.errorText === 'mixed-content') mixed.add(request.url());
      });
      const urls = NEAR_AND_FAR.map((host) => new URL(`http://${host}:3001/`));
      await secure.evaluate(
        (all) => Promise.allSettled(all.map((url) => fetch(url))),
        urls.map(({ href }) => href),
      );
      await secure.unrouteAll();
      const ours = urls.filter((url) => unreachable(url, origin) !== undefined).map(({ href }) => href);
      await expect.poll(() => [...mixed].toSorted()).toEqual(ours.toSorted());
    });
  });

  describe('agree on requests into a network from outside:', () => {
    /** Addresses of names for the check; Chromium has the address spaces of ports instead. */
    const SPACES: Readonly<Record<string, string>> = {
      'public.test': '203.0.113.1',
      'local.test': '192.168.1.2',
      'x.test': '127.0.0.1',
      '10.example.com': '127.0.0.1',
    };

    const NAMES: Readonly<Record<string, () => string>> = {
      'a public http page': () => `http://public.test:${portOf(publicSite)}`,
      'a public https page': () => `https://public.test:${portOf(secureSite)}`,
      'a page in the local network': () => `http://local.test:${portOf(local)}`,
      'a page on this machine': () => servers.page,
    };

    const visitors = new Map<string, Promise<Page[]>>();
    /** Two pages, without and with the permission, which a headless browser refuses by default. */
    const visitorsOn = (origin: string): Promise<Page[]> => {
      const known = visitors.get(origin);
      if (known !== undefined) return known;
      const opened = Promise.all(
        [[], ['local-network-access']].map(async (permissions) => {
          const context = await browser.newContext({ ignoreHTTPSErrors: true, permissions });
          const visitor = await context.newPage();
          await visitor.goto(`${origin}/`);
          return visitor;
        }),
      );
      visitors.set(origin, opened);
      return opened;
    };

    test.each([
      ['a public http page', '127.0.0.1', 'blocked', 'blocked'],
      ['a public http page', 'x.test', 'blocked', 'blocked'],
      ['a public http page', '10.example.com', 'blocked', 'blocked'],
      ['a public https page', '127.0.0.1', 'asks the user', 'asks the user'],
      ['a page in the local network', '127.0.0.1', 'read', undefined],
      ['a page in the local network', 'x.test', 'read', undefined],
      ['a page on this machine', '127.0.0.1', 'read', undefined],
    ])('%s, to %s', async (from, host, browserDoes, checkSays) => {
      const origin = NAMES[from]?.() ?? '';
      const each: Case = { name: host, answer: () => ({ status: 200, headers: ALLOW }) };
      servers.cases = [each];
      const url = servers.addressOf('b', each).replace('127.0.0.1', host);
      const [refused, granted] = await Promise.all(
        (await visitorsOn(origin)).map((visitor) => reads(visitor, url)),
      );
      expect(granted ? (refused ? 'read' : 'asks the user') : 'blocked').toBe(browserDoes);

      const trace = await traceOf(servers.addressOf('c', each).replace('127.0.0.1', host), origin, SPACES);
      expect(trace.localAccess?.outcome).toBe(checkSays);
      expect(trace.fault?.code).toBe(checkSays === 'blocked' ? 'local-network' : undefined);
      expect(servers.arrivals('c', each)).toBe(servers.arrivals('b', each) > 0 ? 1 : 0);
    });

    test.each([
      ['a public http page', 'more-private'],
      ['a public https page', 'Permission'],
    ])('%s: the console shows the message in docs/cross-origin.md', async (from, says) => {
      const [refused] = await visitorsOn(NAMES[from]?.() ?? '');
      const said: string[] = [];
      refused?.on('console', (message) => said.push(message.text()));
      expect(refused && (await reads(refused, servers.origins[1] ?? ''))).toBe(false);
      const document = await documentedConsoles();
      const sentence = document.sentence(says, 'Chromium');
      const isSame = document.isVersion('Chromium', browser.version());
      await expect.poll(() => said).toSatisfy((messages: string[]) => isSaid(sentence, messages, isSame));
    });

    test('a public http page, to a public service that redirects to this machine', async () => {
      const origin = NAMES['a public http page']?.() ?? '';
      const each: Case = {
        name: 'redirect inwards',
        answer: (_, { here }) => ({ status: 302, headers: [...ALLOW, ['Location', `${here}/next`]] }),
      };
      servers.cases = [each];
      const outside = (who: 'b' | 'c') =>
        servers
          .addressOf(who, each)
          .replace(servers.origins[1] ?? '', `http://public.test:${servers.portOf(2)}`);
      const [visitor] = await visitorsOn(origin);
      expect(visitor && (await reads(visitor, outside('b')))).toBe(false);
      expect(servers.arrivals('b', each)).toBe(1);
      expect((await traceOf(outside('c'), origin, SPACES)).fault?.code).toBe('local-network');
      expect(servers.arrivals('c', each)).toBe(1);
    });
  });

  const reads = (from: Page, url: string): Promise<boolean> =>
    from.evaluate(
      (to) =>
        fetch(to).then(
          () => true,
          () => false,
        ),
      url,
    );

  /** Every name leads to the test servers. */
  const traceOf = (
    url: string,
    origin: string,
    names: Readonly<Record<string, string>> = {},
  ): Promise<FetchTrace> =>
    browserFetch(
      { url: new URL(url), origin, method: 'GET', headers: [], credentials: false },
      {
        send: (sent) => {
          const target = new URL(sent.url);
          target.hostname = '127.0.0.1';
          return servers.network.send({ ...sent, url: target });
        },
        addressOf: async (name) => names[name],
      },
    );

  const outcomeOf = async (url: string, origin: string): Promise<string> =>
    (await traceOf(url, origin)).fault?.code ?? 'may read';
});

const ALLOW: Fields = [['Access-Control-Allow-Origin', '*']];

/** The first and the last address of each range, and their neighbours. */
const NEAR_AND_FAR = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '1.0.0.0', '9.255.255.255', '10.0.0.0', '10.255.255.255'],
  ...['11.0.0.0', '100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0', '126.255.255.255'],
  ...['127.0.0.0', '127.255.255.255', '128.0.0.0', '169.253.255.255', '169.254.0.0', '169.254.255.255'],
  ...['169.255.0.0', '172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0', '192.0.2.1'],
  ...['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0', '198.18.0.1', '203.0.113.1'],
  ...[
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::2]',
    '[::7f00:1]',
    '[::ffff:8.8.8.8]',
  ],
  ...['[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:192.169.0.0]', '[64:ff9b::a00:1]', '[2001:db7::1]'],
  ...['[2001:db8::1]', '[2001:db9::1]', '[2606:4700::1]', '[3ffe::1]', '[3fff::1]', '[3fff:fff::1]'],
  ...['[3fff:1000::1]', '[fbff::1]', '[fc00::1]', '[fdff::1]', '[fe00::1]', '[fe7f::1]', '[fe80::1]'],
  ...[
    '[febf::1]',
    '[fec0::1]',
    '[feff::1]',
    '[ff02::1]',
    'localhost',
    'localhost.',
    'a.localhost',
    'a.localhost.',
    'local',
  ],
  ...['nas.local', 'nas.local.', 'a.nas.local', 'nas.locals', 'printer', 'nas.internal', '10.example.com'],
  ...['127.example.com', '192.168.example.com', 'localhost.example.com'],
];

const emptyPage = (_: unknown, response: ServerResponse): void => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>');
};

async function listen(server: Server): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
