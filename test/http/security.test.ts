/** Security headers, and what must not be disclosed or served. */
import { describe, expect, it, test } from 'vitest';
import { serviceForAll } from '../support/lifetime.ts';
import { ask, catalogOf, food, rawGet, sendRaw, startService, targetOf } from '../support/service.ts';

const service = serviceForAll(async () =>
  startService(await catalogOf([food('Egg')]), { nodeEnv: 'production', allowedOrigin: '*' }),
);

it.each(['/', '/index.html', '/docs', '/data-set', '/health/ready', '/nowhere'])(
  '%s has security headers',
  async (path) => {
    const { headers } = await ask(service, path);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:/);
    if (path === '/docs') expect(headers['content-security-policy']).not.toContain('*');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    // Only the proxy that terminates TLS knows whether the whole host uses TLS.
    expect(headers).not.toHaveProperty('strict-transport-security');
  },
);

test.each(['/', '/nowhere', '/%zz', '/api/food/more', targetOf('egg'), '/health/ready', '/nothing.js'])(
  'no answer discloses software or paths %s',
  async (path) => {
    const { headers, body } = await ask(service, path);
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(body).not.toMatch(/fastify|node_modules|node:|\bat \w+ \(|v\d+\.\d+\.\d+/i);
    expect(body).not.toContain(process.cwd());
  },
);

describe('no path leaves the folder of the page', () => {
  const UP = ['..', '%2e%2e', '.%2e', '%2e%2e%2f..', '..%5c', '%252e%252e', '..;', '%c0%ae%c0%ae', '..%00'];
  const SECRET = /"name": "food-lookup"|root:.*:0:0:|FoodCatalog/;

  it.each(
    UP.flatMap((up) =>
      ['package.json', 'cli/main.js', 'etc/passwd'].flatMap((file) =>
        [1, 2, 3, 8].flatMap((depth) => [
          `/${`${up}/`.repeat(depth)}${file}`,
          `/docs/${`${up}/`.repeat(depth)}${file}`,
        ]),
      ),
    ),
  )('%s', async (path) => {
    const answer = await sendRaw(service, rawGet(path, 'Connection: close'));
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(answer).not.toMatch(SECRET);
  });

  it.each(['//etc/passwd', '/file:///etc/passwd', '/.', '/.env', '/~root/', 'http://x/../package.json'])(
    '%s',
    async (path) => {
      const answer = await sendRaw(service, rawGet(path, 'Connection: close'));
      expect(answer).not.toMatch(SECRET);
      expect(answer).not.toMatch(/Index of|<li>/);
    },
  );
});
