/**
 * A separate WebKit browser whose console is read through the inspector's protocol. WebDriver does not show the console, and in
 * its private sessions WebKit does not write it to standard output either.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { Calls } from './calls.ts';
import { freePort } from './free-port.ts';
import { endGroup, spawnGroup } from './programs.ts';
import { waitFor } from './wait.ts';

/** A page, and the messages on its console from now on. */
export interface Inspected {
  readonly messages: string[];
  open(url: string): Promise<void>;
  /** Runs a function in the page; its argument and result are JSON. */
  evaluate<Given, Result>(run: (given: Given) => Result | Promise<Result>, given: Given): Promise<Result>;
  close(): Promise<void>;
}

interface Evaluated {
  readonly result: { readonly objectId?: string; readonly value?: unknown };
}

export async function inspectWebKit(url: string): Promise<Inspected> {
  const home = await mkdtemp(join(tmpdir(), 'food-lookup-webkit-'));
  const server = `127.0.0.1:${await freePort()}`;
  const browser = 'exec /usr/lib/*/webkit2gtk-4.*/MiniBrowser "$@"';
  const child = spawnGroup('xvfb-run', ['-a', 'sh', '-c', browser, 'sh', '--ignore-tls-errors', url], {
    HOME: home,
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    WEBKIT_INSPECTOR_HTTP_SERVER: server,
  });
  let path: string | undefined;
  await waitFor(async () => {
    const targets = await fetch(`http://${server}/`)
      .then((response) => response.text())
      .catch(() => '');
    path = targets.includes(`>${url}<`) ? /socket\/\d+\/\d+\/WebPage/.exec(targets)?.[0] : undefined;
    return path !== undefined;
  });

  const messages: string[] = [];
  const socket = new WebSocket(`ws://${server}/${path}`);
  let loaded = (): void => {};
  let targetId: string | undefined;
  const target = new Calls(
    (message) => void browserCalls.call('Target.sendMessageToTarget', { targetId, message }),
    ({ method, params }) => {
      if (method === 'Page.loadEventFired') loaded();
      if (method === 'Console.messageAdded')
        messages.push((params as { message: { text: string } }).message.text);
    },
  );
  const browserCalls = new Calls(
    (text) => socket.send(text),
    ({ method, params }) => {
      const { targetInfo, message } = params as { targetInfo?: { targetId: string }; message?: string };
      if (method === 'Target.targetCreated') targetId ??= targetInfo?.targetId;
      if (method === 'Target.dispatchMessageFromTarget') target.receive(message ?? '');
    },
  );
  socket.addEventListener('message', ({ data }) => browserCalls.receive(String(data)));
  await once(socket, 'open');
  await waitFor(async () => targetId !== undefined);
  for (const domain of ['Inspector', 'Network', 'Page', 'Runtime', 'Console'])
    await target.call(`${domain}.enable`);

  return {
    messages,
    evaluate: async (run, given) => {
      const expression = `(async () => (${run})(${JSON.stringify(given ?? null)}))()`;
      const { result } = (await target.call('Runtime.evaluate', { expression })) as Evaluated;
      const promise = { promiseObjectId: result.objectId, returnByValue: true };
      const settled = (await target.call('Runtime.awaitPromise', promise)) as Evaluated;
      return settled.result.value as never;
    },
    open: async (address) => {
      const isLoaded = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      const expression = `location.href = ${JSON.stringify(address)}`;
      await target.call('Runtime.evaluate', { expression });
      await isLoaded;
    },
    close: async () => {
      socket.close();
      await endGroup(child);
      await rm(home, { recursive: true, force: true });
    },
  };
}
