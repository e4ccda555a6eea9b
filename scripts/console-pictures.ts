/**
 * Takes the pictures of docs/cross-origin.md: what Chromium's developer tools say about a page on another origin. The tools are a
 * page themselves, which the browser serves on its debugging port. The ports named in the document must be free.
 *
 *   npm run screenshots
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { openCatalog } from '../src/cli/open-catalog.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { freePort } from '../test/support/free-port.ts';
import { startService } from '../test/support/service.ts';
import { savePicture } from './save-picture.ts';

const PAGE = `<!doctype html><meta charset="utf-8" /><link rel="icon" href="data:," /><title>My page</title>
<script type="module">
const answer = await fetch('http://localhost:3001/api/food?q=egg');
console.table((await answer.json()).slice(0, 3));
</script>`;

const PICTURES = [
  { name: 'cors-console', allowedOrigin: undefined, panel: 'console', height: 200 },
  { name: 'cors-network', allowedOrigin: undefined, panel: 'network', height: 300 },
  { name: 'cors-allowed', allowedOrigin: 'http://localhost:8000', panel: 'console', height: 230 },
];

const catalog = await openCatalog(undefined);
const site = createServer((_request, response) =>
  response.setHeader('content-type', 'text/html').end(PAGE),
).listen(8000);
const port = await freePort();
const browser = await launchBrowser(`--remote-debugging-port=${port}`, '--remote-allow-origins=*');
const context = await browser.newContext({ deviceScaleFactor: 2 });
for (const { name, allowedOrigin, panel, height } of PICTURES) {
  const service = await startService(catalog, { port: 3001, allowedOrigin });
  await take(name, panel, height);
  await service.close();
}
await browser.close();
site.close();
await once(site, 'close');

async function take(name: string, panel: string, height: number): Promise<void> {
  const page = await context.newPage();
  await page.goto('http://localhost:8000/');
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    id: string;
    url: string;
  }[];
  const id = targets.find(({ url }) => url === page.url())?.id ?? '';
  const tools = await context.newPage();
  await tools.setViewportSize({ width: 900, height });
  // Hides the preview of the page beside the console.
  await tools.addInitScript("localStorage.setItem('screencast-enabled', 'false')");
  const socket = `127.0.0.1:${port}/devtools/page/${id}`;
  await tools.goto(`http://127.0.0.1:${port}/devtools/inspector.html?ws=${socket}&panel=${panel}`);
  await tools.waitForTimeout(1500);
  // The tools list only requests that began while they were open.
  await page.reload();
  await tools.waitForTimeout(1500);
  await savePicture(tools, `docs/images/${name}.webp`);
  await tools.close();
  await page.close();
}
