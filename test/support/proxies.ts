/** The proxies with a shipped configuration, adapted to free loopback ports and a temporary folder. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProxyProgram } from './proxied.ts';

export const NGINX: ProxyProgram = {
  file: 'deploy/nginx.conf',
  changes: ({ folder, http, https, services, certFile, keyFile }) => ({
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${https} ssl http2;`,
    '    listen [::]:80;\n': '',
    '    listen [::]:443 ssl http2;\n': '',
    '127.0.0.1:3001': `127.0.0.1:${services[0]}`,
    '127.0.0.1:3002': `127.0.0.1:${services[1]}`,
    '/var/cache/nginx-food-lookup': join(folder, 'cache'),
    '/etc/ssl/food.example.pem': certFile,
    '/etc/ssl/private/food.example.key': keyFile,
  }),
  command: async (folder, config) => {
    const main = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${join(folder, each)};`,
    );
    await writeFile(
      main,
      `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 2;
pid ${join(folder, 'nginx.pid')};
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  include ${config};
}
`,
    );
    return ['nginx', '-p', folder, '-e', 'stderr', '-c', main];
  },
};

export const HAPROXY: ProxyProgram = {
  file: 'deploy/haproxy.cfg',
  changes: ({ folder, http, https, services }) => ({
    'bind :80\n': `bind 127.0.0.1:${http}\n`,
    'bind :443 ssl': `bind 127.0.0.1:${https} ssl`,
    '127.0.0.1:3001': `127.0.0.1:${services[0]}`,
    '127.0.0.1:3002': `127.0.0.1:${services[1]}`,
    '/etc/ssl/food.example.pem': join(folder, 'both.pem'),
  }),
  command: async (folder, config) => {
    const parts = await Promise.all(
      ['cert', 'key'].map((part) => readFile(join(folder, `food.${part}.pem`), 'utf8')),
    );
    await writeFile(join(folder, 'both.pem'), parts.join(''));
    return ['haproxy', '-db', '-f', config];
  },
};
