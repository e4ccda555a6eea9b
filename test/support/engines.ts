/**
 * The three browser engines, with only what the tests need: Chromium through Playwright, Firefox through WebDriver BiDi, WebKit
 * through WebDriver.
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { Calls } from './calls.ts';
import { shared } from './client-page.ts';
import { freePort } from './free-port.ts';
import { type Inspected, inspectWebKit } from './inspected-webkit.ts';
import { endGroup, spawnGroup, writtenTo } from './programs.ts';
import {
  describeWithChromium,
  describeWithFirefox,
  describeWithWebKit,
  FIREFOX,
  WEBKIT,
} from './requirements.ts';
import { succeeds, waitFor } from './wait.ts';

export interface Tab extends Inspected {
  readonly version: string;
  click(x: number, y: number): Promise<void>;
  /** Presses keys one after the other: `a`, `Enter`, `Control+A`. */
  press(keys: Iterable<string>): Promise<void>;
  /** Loads the page at the address in another browser, whose messages can be read, unlike those of this one. */
  inspect?(url: string): Promise<Inspected>;
}

export interface Engine {
  readonly name: string;
  /** The error of `fetch` for an answer that the page may not read. */
  readonly blocked: string;
  /** Whether it caches answers of `fetch`: WebKit does not if a driver controls it. */
  readonly keepsAnswers: boolean;
  /** Whether an https page may send requests to http addresses of this machine. */
  readonly trustsLoopback: boolean;
  /** Skips the tests if the engine is not installed. */
  describe(name: string, tests: () => void): void;
  start(): Promise<Tab>;
}

const USUAL = { keepsAnswers: true, trustsLoopback: true };

export const CHROMIUM_ENGINE: Engine = {
  ...USUAL,
  name: 'Chromium',
  blocked: 'TypeError: Failed to fetch',
  describe: describeWithChromium,
  start: startChromium,
};

export const OTHER_ENGINES: readonly Engine[] = [
  {
    ...USUAL,
    name: 'Firefox',
    blocked: 'TypeError: NetworkError when attempting to fetch resource.',
    describe: describeWithFirefox,
    start: startFirefox,
  },
  {
    name: 'WebKit',
    blocked: 'TypeError: Load failed',
    keepsAnswers: false,
    trustsLoopback: false,
    describe: describeWithWebKit,
    start: startWebKit,
  },
];

const SIZE = { width: 1280, height: 720 } as const;

async function startChromium(): Promise<Tab> {
  const { browser } = await shared();
  const page = await browser.newPage({ viewport: SIZE, ignoreHTTPSErrors: true });
  const evaluate: Tab['evaluate'] = (run, given) => page.evaluate(run as never, given) as Promise<never>;
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  return {
    version: browser.version(),
    messages,
    open: async (url) => void (await page.goto(url)),
    evaluate,
    click: (x, y) => page.mouse.click(x, y),
    press: async (keys) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    close: () => page.close(),
  };
}

/** WebDriver and WebDriver BiDi have the same actions. */
type Perform = (actions: readonly object[]) => Promise<unknown>;

/** Keys without a character, as WebDriver numbers them. */
const KEYS: Readonly<Record<string, string>> = { Control: '\ue009', Enter: '\ue007', Tab: '\ue004' };

const inputBy = (perform: Perform): Pick<Tab, 'click' | 'press'> => ({
  click: async (x, y) => {
    const moves = [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }];
    const presses = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
    await perform([{ type: 'pointer', id: 'mouse', actions: [...moves, ...presses] }]);
  },
  press: async (keys) => {
    const actions = Array.from(keys, (key) => {
      const parts = key.length > 1 ? key.split('+') : [key];
      const values = parts.map((part) => KEYS[part] ?? part.toLowerCase());
      return [
        ...values.map((value) => ({ type: 'keyDown', value })),
        ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
      ];
    });
    await perform([{ type: 'key', id: 'keys', actions: actions.flat() }]);
  },
});

const parsed = (json: string | null | undefined): never => JSON.parse(json ?? 'null') as never;

/** Beside those that Firefox sets itself if it is driven. They save a third of the processor time of its start. */
const FIREFOX_PREFERENCES = `
user_pref('browser.newtab.preload', false);
user_pref('browser.newtabpage.enabled', false);
user_pref('browser.startup.page', 0);
user_pref('dom.ipc.processCount', 1);
user_pref('dom.ipc.processPrelaunch.enabled', false);
user_pref('extensions.enabledScopes', 0);
// Firefox sends a request beside a cached answer if its disk is slow.
user_pref('network.http.rcwn.enabled', false);
user_pref('toolkit.telemetry.unified', false);
`;

async function startFirefox(): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), 'food-lookup-firefox-'));
  await writeFile(join(profile, 'user.js'), FIREFOX_PREFERENCES);
  const args = ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile];
  const child = spawnGroup(FIREFOX, args);
  const output = writtenTo(child.stderr);
  await waitFor(async () => /BiDi listening on .*\n/.test(output()));
  const socket = new WebSocket(`${/BiDi listening on (\S+)/.exec(output())?.[1]}/session`);
  await once(socket, 'open');

  const messages: string[] = [];
  const calls = new Calls(
    (text) => socket.send(text),
    ({ method, params }) => {
      if (method === 'log.entryAdded') messages.push((params as { text: string }).text);
    },
  );
  socket.addEventListener('message', ({ data }) => calls.receive(String(data)));
  const send = (method: string, params: object): Promise<unknown> => calls.call(method, params);
  const capabilities = { alwaysMatch: { acceptInsecureCerts: true } };
  const session = (await send('session.new', { capabilities })) as Session;
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
  const context = contexts[0]?.context;
  await send('browsingContext.setViewport', { context, viewport: SIZE });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const evaluate: Tab['evaluate'] = async (run, given) => {
    const { result, exceptionDetails } = (await send('script.callFunction', {
      functionDeclaration: `async (given) => JSON.stringify(await (${run})(JSON.parse(given)))`,
      arguments: [{ type: 'string', value: JSON.stringify(given ?? null) }],
      awaitPromise: true,
      target: { context },
    })) as { result?: { value?: string }; exceptionDetails?: { text: string } };
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return parsed(result?.value);
  };
  return {
    ...inputBy((actions) => send('input.performActions', { context, actions })),
    version: session.capabilities.browserVersion,
    messages,
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate,
    close: async () => {
      socket.close();
      await endGroup(child);
      await rm(profile, { recursive: true, force: true });
    },
  };
}

interface Session {
  readonly capabilities: { readonly browserVersion: string };
}

async function startWebKit(): Promise<Tab> {
  const port = await freePort();
  const args = ['-a', '-s', '-screen 0 1400x1000x24', WEBKIT, '-p', String(port)];
  const child = spawnGroup('xvfb-run', args);
  const request = async (method: string, path: string, body?: object): Promise<never> => {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } | null };
    if (value?.error !== undefined) throw new Error(`${path}: ${value.message}`);
    return value as never;
  };
  await waitFor(() => succeeds(request('GET', '/status')));
  const { sessionId, capabilities } = (await request('POST', '/session', {
    capabilities: {},
  })) as Session & { sessionId: string };
  const send = (path: string, body: object): Promise<never> =>
    request('POST', `/session/${sessionId}/${path}`, body);
  await send('window/rect', SIZE);
  return {
    ...inputBy((actions) => send('actions', { actions })),
    version: capabilities.browserVersion,
    messages: [],
    inspect: inspectWebKit,
    open: (url) => send('url', { url }),
    evaluate: async (run, given) => {
      const script = `const [given, done] = arguments;
        (async () => JSON.stringify(await (${run})(JSON.parse(given))))().then(done, (error) => done('{"failed":' + JSON.stringify(String(error)) + '}'));`;
      return parsed(await send('execute/async', { script, args: [JSON.stringify(given ?? null)] }));
    },
    close: async () => {
      await request('DELETE', `/session/${sessionId}`);
      await endGroup(child);
    },
  };
}
