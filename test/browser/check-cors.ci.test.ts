/**
 * Compares `check-cors` with Chromium: every case must have the same verdict and the same requests, the same ports must be out of
 * reach, and so must the same addresses from https, or from another network.
 */
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserFetch } from '#cors-check';
import { BLOCKED_PORTS, unreachable } from '../../packages/cors-check/reachable.ts';
import { EMPTY_PAGE, launchBrowser } from '../support/browser.ts';
import { makeCertificate } from '../support/certificate.ts';
import { CASES, type Case, FOR_ALL, ORIGIN_CASES, randomCases, redirected } from '../support/cors-cases.ts';
import { CorsServers, canRead } from '../support/cors-servers.ts';
import { temporaryFolder } from '../support/files.ts';
import { listen } from '../support/listen.ts';
import { describeWithChromium, describeWithPrograms } from '../support/requirements.ts';
import { documentedConsoles, isSaid } from './console-cases.ts';

const folder = temporaryFolder();

const describeOnHttps = (name: string, tests: () => void): void =>
  describeWithPrograms('openssl')('on https, too,', () => describeWithChromium(name, tests));

describeOnHttps('a browser and check-cors', () => {
  let servers: CorsServers;
  /** The port of a site by its kind. */
  let ports: Readonly<Record<'local' | 'public' | 'secure' | 'localhost', string>>;
  let browser: Browser;

  beforeAll(async () => {
    servers = await CorsServers.start();
    const certificate = await makeCertificate(folder.path('sites'), 'DNS:localhost,DNS:public.test');
    const portOf = async (server: Server): Promise<string> =>
      new URL(await listen(server.on('request', EMPTY_PAGE))).port;
    const [local, open] = [await portOf(createServer()), await portOf(createServer())];
    const secured = () => portOf(createTlsServer(certificate));
    const [secure, localhost] = [await secured(), await secured()];
    ports = { local, public: open, secure, localhost };
    const overrides = [`${local}=local`, `${open}=public`, `${secure}=public`, `${servers.portOf(2)}=public`];
    browser = await launchBrowser(
      '--host-resolver-rules=MAP *.test 127.0.0.1, MAP *.local 127.0.0.1, MAP *.example.com 127.0.0.1',
      `--ip-address-space-overrides=${overrides.map((each) => `127.0.0.1:${each}`).join()}`,
    );
  });
  afterAll(async () => {
    await browser.close();
    await servers.close();
  });

  describe('agree', () => {
    let page: Page;

    beforeAll(async () => {
      page = await browser.newPage();
      await page.goto(`${servers.page}/`);
    });

    test(`in ${CASES.length} cases, and send the same requests`, async () => {
      expect(await servers.differences(page, CASES)).toEqual([]);
    });

    test('for a sandboxed frame, whose origin is null', async () => {
      const frame = await sandboxed(page);
      const cases = ORIGIN_CASES.filter(({ credentials }) => credentials !== true);
      expect(await servers.differences(frame, cases, 'null')).toEqual([]);
    });

    test('on 400 random answers', async () => {
      expect(await servers.differences(page, randomCases(400, 11))).toEqual([]);
    });

    test('on the ports that no page may reach', async () => {
      const near = [...BLOCKED_PORTS].flatMap((port) => [port - 1, port, port + 1]);
      const ports = [...new Set(near)].filter((port) => port >= 0 && port <= 65535);
      const refused = new Set<number>();
      page.on('requestfailed', (request) => {
        if (request.failure()?.errorText === 'net::ERR_UNSAFE_PORT')
          refused.add(Number(new URL(request.url()).port));
      });
      const urlOf = (port: number): string => `http://127.0.0.1:${port}/`;
      await page.evaluate(
        (all) => Promise.allSettled(all.map((url) => fetch(url, { mode: 'no-cors' }))),
        ports.filter((port) => port !== 80).map(urlOf),
      );
      const ours = ports.filter((port) => unreachable(new URL(urlOf(port)), servers.page) !== undefined);
      const inOrder = (some: Iterable<number>) => [...some].toSorted((a, b) => a - b);
      await expect.poll(() => inOrder(refused)).toEqual(inOrder(ours));
    });
  });

  describe('agree on what an https page may request:', () => {
    let secure: Page;
    let origin = '';

    beforeAll(async () => {
      origin = `https://localhost:${ports.localhost}`;
      secure = await browser.newPage({ ignoreHTTPSErrors: true });
      await secure.goto(origin);
    });

    test.each([
      ['an answer from this machine', undefined, ALLOWED, '127.0.0.1'],
      ['an answer from this network', undefined, ALLOWED, 'nas.local'],
      ['an answer from elsewhere', 'mixed-content', ALLOWED, 'api.test'],
      ['a redirect elsewhere', 'mixed-content', redirected('http://FAR/1'), '127.0.0.1'],
    ])('%s has the fault %s', async (_what, fault, each, host) => {
      const [seen, checked] = addresses(each, host);
      expect(await canRead(secure, seen)).toBe(fault === undefined);
      expect((await traceOf(checked, origin)).fault?.code).toBe(fault);
    });

    test('every address and name that may be near', async () => {
      // No request leaves the machine: Chromium rejects mixed content before the route aborts the rest.
      await secure.route('http://**', (route) => route.abort());
      const mixed = new Set<string>();
      secure.on('requestfailed', (request) => {
        if (request.failure()?.errorText === 'mixed-content') mixed.add(request.url());
      });
      const urls = NEAR_AND_FAR.map((host) => new URL(`http://${host}:3001/`).href);
      await secure.evaluate((all) => Promise.allSettled(all.map((url) => fetch(url))), urls);
      await secure.unrouteAll();
      const ours = urls.filter((url) => unreachable(new URL(url), origin) !== undefined);
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

    const originOf = (page: string): string =>
      ({
        'a public http page': `http://public.test:${ports.public}`,
        'a public https page': `https://public.test:${ports.secure}`,
        'a page in the local network': `http://local.test:${ports.local}`,
      })[page] ?? servers.page;

    /** A headless browser refuses permissions by default. */
    async function visitorOn(origin: string, ...permissions: string[]): Promise<Page> {
      const visitor = await browser.newPage({ ignoreHTTPSErrors: true, permissions });
      await visitor.goto(`${origin}/`);
      return visitor;
    }

    test.each([
      ['a public http page', '127.0.0.1', 'blocked', 'blocked'],
      ['a public http page', 'x.test', 'blocked', 'blocked'],
      ['a public http page', '10.example.com', 'blocked', 'blocked'],
      ['a public https page', '127.0.0.1', 'asks the user', 'asks the user'],
      ['a page in the local network', '127.0.0.1', 'read', undefined],
      ['a page in the local network', 'x.test', 'read', undefined],
      ['a page on this machine', '127.0.0.1', 'read', undefined],
    ])('%s, to %s', async (from, host, browserDoes, checkSays) => {
      const origin = originOf(from);
      const [seen, checked] = addresses(ALLOWED, host);
      const visitors = [await visitorOn(origin), await visitorOn(origin, 'local-network-access')];
      const [refused, granted] = await Promise.all(visitors.map((visitor) => canRead(visitor, seen)));
      expect(granted ? (refused ? 'read' : 'asks the user') : 'blocked').toBe(browserDoes);

      const trace = await traceOf(checked, origin, SPACES);
      expect(trace.localAccess?.outcome).toBe(checkSays);
      expect(trace.fault?.code).toBe(checkSays === 'blocked' ? 'local-network' : undefined);
      expect(servers.arrivals('c', ALLOWED)).toBe(servers.arrivals('b', ALLOWED) > 0 ? 1 : 0);
    });

    test.each([
      ['a public http page', 'more-private'],
      ['a public https page', 'Permission'],
    ])('%s: the console shows the message in docs/cross-origin.md', async (from, says) => {
      const refused = await visitorOn(originOf(from));
      const said: string[] = [];
      refused.on('console', (message) => said.push(message.text()));
      expect(await canRead(refused, servers.origins[1] ?? '')).toBe(false);
      const document = await documentedConsoles();
      const sentence = document.sentence(says, 'Chromium');
      const isSame = document.isVersion('Chromium', browser.version());
      await expect.poll(() => said).toSatisfy((messages: string[]) => isSaid(sentence, messages, isSame));
    });

    test('a public http page, to a public service that redirects to this machine', async () => {
      const origin = originOf('a public http page');
      const inwards = redirected('http://HERE/1');
      const [seen, checked] = addresses(inwards, 'public.test', servers.portOf(2));
      expect(await canRead(await visitorOn(origin), seen)).toBe(false);
      expect(servers.arrivals('b', inwards)).toBe(1);
      expect((await traceOf(checked, origin, SPACES)).fault?.code).toBe('local-network');
      expect(servers.arrivals('c', inwards)).toBe(1);
    });
  });

  /** The addresses of a case on this host, for the browser and for the check. */
  const addresses = (each: Case, host = '127.0.0.1', port = servers.portOf(1)): [string, string] => {
    servers.cases = [each];
    const at = (who: 'b' | 'c') =>
      servers.addressOf(who, each).replace(/127\.0\.0\.1:\d+/, `${host}:${port}`);
    return [at('b'), at('c')];
  };

  /** Every name leads to the test servers. */
  function traceOf(address: string, origin: string, names: Readonly<Record<string, string>> = {}) {
    const sent = { url: new URL(address), origin, method: 'GET', headers: [], credentials: false };
    return browserFetch(sent, {
      send: (each) => {
        const url = Object.assign(new URL(each.url), { hostname: '127.0.0.1' });
        return servers.network.send({ ...each, url });
      },
      addressOf: async (name) => names[name],
    });
  }
});

const ALLOWED: Case = { answers: [FOR_ALL] };

/** The first and the last address of each range, and their neighbours. */
const NEAR_AND_FAR =
  `0.0.0.0 0.0.0.1 0.255.255.255 1.0.0.0 9.255.255.255 10.0.0.0 10.255.255.255 11.0.0.0 100.63.255.255
  100.64.0.0 100.127.255.255 100.128.0.0 126.255.255.255 127.0.0.0 127.255.255.255 128.0.0.0
  169.253.255.255 169.254.0.0 169.254.255.255 169.255.0.0 172.15.255.255 172.16.0.0 172.31.255.255
  172.32.0.0 192.0.2.1 192.167.255.255 192.168.0.0 192.168.255.255 192.169.0.0 198.18.0.1 203.0.113.1
  224.0.0.1 240.0.0.1 255.255.255.255 [::] [::1] [::2] [::7f00:1] [::ffff:8.8.8.8] [::ffff:127.0.0.1]
  [::ffff:10.0.0.1] [::ffff:192.169.0.0] [64:ff9b::a00:1] [2001:db7::1] [2001:db8::1] [2001:db9::1]
  [2606:4700::1] [3ffe::1] [3fff::1] [3fff:fff::1] [3fff:1000::1] [fbff::1] [fc00::1] [fdff::1] [fe00::1]
  [fe7f::1] [fe80::1] [febf::1] [fec0::1] [feff::1] [ff02::1] localhost localhost. a.localhost
  a.localhost. local nas.local nas.local. a.nas.local nas.locals printer nas.internal 10.example.com
  127.example.com 192.168.example.com localhost.example.com`.split(/\s+/);

async function sandboxed(page: Page): Promise<Frame> {
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    frame.srcdoc = '<title>no origin</title>';
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    return loaded.then(() => {});
  });
  await expect.poll(() => page.frames().length).toBe(2);
  return page.frames()[1] ?? expect.fail();
}
