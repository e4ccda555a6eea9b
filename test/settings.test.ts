import { describe, expect, it, test } from 'vitest';
import { UserError } from '#core';
import { readSettings, SETTING_NAMES, variableOf } from '../src/service/settings/settings.ts';
import { casesOf, pairsOf } from './support/cases.ts';
import { APP_ORIGINS } from './support/service.ts';

function errorOf(environment: Record<string, string>): string {
  try {
    readSettings({}, environment);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  throw new Error('the settings were accepted');
}

test('without any setting, the defaults apply', () => {
  expect(readSettings({}, {})).toEqual({
    port: 3001,
    host: undefined,
    allowedOrigin: undefined,
    foodData: undefined,
    nodeEnv: undefined,
    offline: true,
    offlineFoods: 5000,
    logLevel: 'info',
    logRequests: 'none',
    operationsPort: undefined,
    rateLimit: undefined,
    trustProxy: undefined,
    maxConnections: undefined,
    answerCache: 32 * 1024 * 1024,
    threads: 1,
    corsRoutes: 'search',
    shutdownDelay: 0,
  });
});

test('an empty setting counts as absent', () => {
  const empty = { PORT: '', HOST: '', ALLOWED_ORIGIN: '', FOOD_DATA: '', NODE_ENV: '', LOG_LEVEL: '' };
  expect(readSettings({}, empty)).toEqual(readSettings({}, {}));
});

test('a flag takes precedence over the environment', () => {
  const { port, host } = readSettings({ port: '4000' }, { PORT: '5000', HOST: '::1' });
  expect([port, host]).toEqual([4000, '::1']);
});

it.each([
  ['PORT', '0', 0],
  ['PORT', '80', 80],
  ['PORT', '65535', 65535],
  ['LOG_LEVEL', 'silent', 'silent'],
  ['RATE_LIMIT', '100/60', { requests: 100, seconds: 60 }],
  ['RATE_LIMIT', '1/86400', { requests: 1, seconds: 86_400 }],
])('%s may be %s', (variable, text, value) => {
  const settings = readSettings({}, { [variable]: text });
  const name = SETTING_NAMES.find((each) => variableOf(each) === variable);
  expect(name && settings[name]).toEqual(value);
});

it.each(
  casesOf(`
    PORT | a whole number from 0 to 65535, such as 3001.
      | 65536 | -1 | http | 3001.5 | 1e3 |  3001 | 0x10 | 99999999
    OFFLINE_FOODS | a whole number from 0 to 100000, such as 5000. | all | 100001
    OPERATIONS_PORT | a whole number from 0 to 65535, such as 9001. | x
    MAX_CONNECTIONS | a whole number from 1 to 9999999, such as 10000. | 0
    ANSWER_CACHE | a whole number of MiB from 0 to 99999, such as 32. | 32MB
    THREADS | a whole number from 1 to 99, such as 4. | 0
    SHUTDOWN_DELAY | a whole number of seconds from 0 to 3600, such as 10. | 5s
    LOG_LEVEL | one of fatal, error, warn, info, debug, trace, silent. | loud | a\\nb
    LOG_REQUESTS | one of none, requests, searches. | all
    RATE_LIMIT | REQUESTS/SECONDS, two whole numbers of at least 1, with at most 86400 seconds, such as 100/60 for
      100 requests a minute. | 100 | 0/60 | 100/0 | 100/86401 | -1/60 | 1.5/60 | 100 / 60 | 100/1m | 1e3/60
  `),
)('%s may not be anything but %s', (variable = '', expected, ...texts) => {
  for (const text of texts.map((each) => each.replace('\\n', '\n')))
    expect(errorOf({ [variable]: text })).toBe(
      `${variable}: ${JSON.stringify(text)} cannot be used: expected ${expected}`,
    );
});

describe('ALLOWED_ORIGIN', () => {
  it.each<[string, string]>([
    ...pairsOf(`
      * → * | https://a.example → https://a.example | http://localhost:5173 → http://localhost:5173
      https://a.example:443 → https://a.example | http://a.example:80 → http://a.example
      http://a.example:443 → http://a.example:443 | HTTPS://A.Example → https://a.example
      https://müsli.example → https://xn--msli-0ra.example | http://[::1]:3000 → http://[::1]:3000`),
    ...APP_ORIGINS.map((origin): [string, string] => [origin, origin]),
    ['Capacitor://LocalHost', 'capacitor://localhost'],
  ])('%s is compared as %s', (text, origin) =>
    expect(readSettings({}, { ALLOWED_ORIGIN: text }).allowedOrigin).toBe(origin),
  );

  it.each(
    casesOf(`
      the scheme is missing; probably "https://example.com" is meant. Expected | example.com | //example.com
      the scheme is missing; probably "http://localhost:3000" is meant. Expected | localhost:3000
      the scheme is missing; probably "http://localhost:5173" is meant. Expected | 5173
      probably "http://localhost:5173" is meant. Expected | :5173
      probably "http://[::1]:3000" is meant. Expected | [::1]:3000
      probably "https://localhost.a.example" is meant. Expected | localhost.a.example
      probably "https://a.example" is meant. Expected | a.example/path?q#top | user:secret@a.example
        | //user:my/secret@a.example | https:/user:secret@a.example
      remove the trailing slash: https://a.example | https://a.example/
      remove the path: https://a.example | https://a.example/path | https://a.example?q
        | https://a.example#top
      the scheme is http or https, or of an app or extension (capacitor, | ftp://a.example
      moz-extension), not "ftp" | ftp://a.example
      remove the trailing slash: capacitor://localhost | capacitor://localhost/
      remove the path: chrome-extension://abc | chrome-extension://abc/popup.html
      a page opened as a file has the origin "null" | file:// | file:///home/me/index.html
      exactly one origin | https://a.example https://b.example | https://a.example,https://b.example
        |  https://a.example
      * stands alone | https://*.a.example
      cannot be told apart | null
      no user name or password | https://user:secret@a.example
      the host or the port is not valid | https://a.example:99999
      the scheme is missing. Expected | https://
      the scheme is missing; probably "https://a.example" is meant. Expected | https//a.example
        | https:/a.example
      remove the quotes. Expected | "https://a.example"
      remove the quotes | 'https://user:secret@a.example'
    `),
  )('may not be, since %s: %s', (reason, ...texts) => {
    for (const text of texts) {
      const message = errorOf({ ALLOWED_ORIGIN: text });
      expect(message).toMatch(/^ALLOWED_ORIGIN: ".*" cannot be used: .*Expected scheme:\/\/host\[:port\].*$/);
      expect(message, text).toContain(reason);
      expect(message).not.toContain('secret');
    }
  });
});

describe('TRUST_PROXY', () => {
  const trusts = (text: string, address: string, hop = 0) =>
    readSettings({}, { TRUST_PROXY: text }).trustProxy?.(address, hop);

  it.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['10.0.0.0/8, 192.0.2.7', '10.1.2.3', true],
    ['10.0.0.0/8, 192.0.2.7', '192.0.2.7', true],
    ['loopback', '::1', true],
    ['loopback', '::ffff:127.0.0.1', true],
    ['2001:db8::/32', '2001:db8::9', true],
  ])('%s, %s: %s', (text, address, expected) => expect(trusts(text, address)).toBe(expected));

  test('may be the number of proxies', () => {
    expect([0, 1, 2].map((hop) => trusts('2', '192.0.2.1', hop))).toEqual([true, true, false]);
  });

  it.each([
    ...['true', '*', '0.0.0.0/0', '::/0', '0', '17', 'proxy.example', '10.0.0.0/33', '127.0.0.1,'],
    'http://a',
  ])('may not be %j', (text) => {
    expect(errorOf({ TRUST_PROXY: text })).toMatch(
      /^TRUST_PROXY: ".*" cannot be used: .*expected the addresses or subnets of the proxies/,
    );
  });
});

test.each(
  casesOf(`
    HOST | http://localhost | HOST: "http://localhost" cannot be used: expected a host name
    FOOD_DATA | mysql://user:secret@db/foods | FOOD_DATA: "mysql://***@db/foods" cannot be used
    TRUST_PROXY | true | a trusted client can claim any address as its own
  `),
)('%s may not be %s', (variable = '', text = '', message) =>
  expect(errorOf({ [variable]: text })).toContain(message),
);

test('an error names the flag if the value came from one', () => {
  expect(() => readSettings({ port: 'x' }, {})).toThrow('PORT (--port): "x" cannot be used');
});
