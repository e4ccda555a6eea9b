/**
 * The services, pages and requests that make browsers log the messages in docs/cross-origin.md. The document has a block for
 * each case, with one message per engine.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { FoodCatalog } from '#core';
import type { Certificate } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import type { Inspected } from '../support/inspected-webkit.ts';
import { listen } from '../support/listen.ts';
import { startService } from '../support/service.ts';

const FOODS = '/api/food?q=egg';
const DIARY = { headers: { 'X-Diary': '1' } };

/** The Content-Security-Policy of pages that have one. A sandboxed page has the origin `null`, like a file. */
const POLICIES: Readonly<Record<string, string>> = {
  '/sandboxed': 'sandbox allow-scripts',
  '/confined': "connect-src 'self'",
};

export interface Case {
  /** A part of Chromium's message, which identifies the block in the document. */
  readonly says: string;
  readonly request: readonly [url: string, init?: RequestInit];
  /** The page that sends the request; by default the page of the previous case. */
  readonly from?: string;
  /** How the service or proxy answers if it is not food-lookup. */
  readonly answer?: RequestListener;
}

const withHeaders =
  (headers: Record<string, string | readonly string[]>, preflightStatus = 200): RequestListener =>
  ({ method }, response) => {
    response.writeHead(method === 'OPTIONS' ? preflightStatus : 200, headers as never).end('[]');
  };

export async function startConsoleCases(catalog: FoodCatalog, certificate: Certificate) {
  let answer: RequestListener | undefined;
  const page: RequestListener = ({ url }, response) => {
    const policy = POLICIES[url ?? ''];
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', 'text/html').end('<!doctype html><link rel="icon" href="data:," />');
  };
  const named = (origin: string): string => origin.replace('127.0.0.1', 'localhost');
  const site = named(await listen(createServer(page)));
  const secure = named(await listen(createTlsServer(certificate, page), 'https'));
  const other = named(await listen(createServer((request, response) => answer?.(request, response))));
  const services = await Promise.all(
    [undefined, site, '*'].map((allowedOrigin) => startService(catalog, { allowedOrigin })),
  );
  const [refusing = '', allowing = '', open = ''] = services.map(({ url }) => named(url));
  const closed = `http://localhost:${await freePort()}`;
  const include: RequestInit = { credentials: 'include' };
  const allow = { 'access-control-allow-origin': site };

  const cases: readonly Case[] = [
    { says: 'header is present', request: [refusing + FOODS] },
    { says: 'CONNECTION_REFUSED', request: [closed + FOODS] },
    { says: 'Allow-Credentials', request: [allowing + FOODS, include] },
    { says: 'the wildcard', request: [open + FOODS, include] },
    { says: 'Method PUT', request: [allowing + FOODS, { method: 'PUT' }] },
    { says: 'URL scheme', request: [allowing.replace('http://', '') + FOODS] },
    { says: 'Unexpected end', request: [allowing + FOODS, { mode: 'no-cors' }] },
    {
      says: 'multiple values',
      request: [other + FOODS],
      answer: withHeaders({ 'access-control-allow-origin': [site, site] }),
    },
    ...[
      { says: 'HTTP ok status', answer: withHeaders(allow, 401) },
      { says: 'Redirect', answer: withHeaders({ ...allow, location: '/' }, 301) },
    ].map((each) => ({ ...each, request: [other + FOODS, DIARY] as const })),
    { says: "from origin 'null'", request: [refusing + FOODS], from: `${site}/sandboxed` },
    { says: 'Content Security Policy', request: [allowing + FOODS], from: `${site}/confined` },
    { says: 'Mixed Content', request: [`http://api.example${FOODS}`], from: `${secure}/` },
  ];

  return {
    page: `${site}/`,
    securePage: `${secure}/`,
    /** A service that every page may read. */
    open,
    cases,
    /** Sends the request of a case, and appends the script's own outcome to the messages. */
    provoke: async (inspected: Inspected, { request, from, ...each }: Case): Promise<void> => {
      ({ answer } = each);
      if (from !== undefined) await inspected.open(from);
      inspected.messages.length = 0;
      const outcome = await inspected.evaluate(
        ([url, init]) =>
          fetch(url, init)
            .then((response) => response.json())
            .then(String, String),
        request,
      );
      inspected.messages.push(outcome);
    },
    /** A message, with its addresses replaced by those in the document. */
    documented: (message: string): string =>
      [refusing, allowing, open, closed, other]
        .reduce((text, url) => text.replaceAll(url, 'http://localhost:3001'), message)
        .replaceAll(site, 'http://localhost:8000')
        .replaceAll(secure, 'https://app.example'),
    close: () => Promise.all(services.map((service) => service.close())),
  };
}

/** The messages that the document lists, and the browser versions that log them. */
export async function documentedConsoles() {
  const text = await readFile('docs/cross-origin.md', 'utf8');
  const blocks = Array.from(
    text.matchAll(/```text\n(Chromium: [\s\S]*?)```/g),
    ([, block = '']) =>
      new Map(Array.from(block.matchAll(/^(\w+): (.*)$/gm), ([, engine = '', said = '']) => [engine, said])),
  );
  return {
    count: blocks.length,
    sentence: (says: string, engine: string): string =>
      blocks.find((block) => block.get('Chromium')?.includes(says))?.get(engine) ?? 'not in the document',
    isVersion: (engine: string, version: string): boolean => {
      const [, documented] = new RegExp(`${engine}\\w* (\\d[\\d.]*\\d)`).exec(text) ?? [];
      return version.startsWith(`${documented}.`);
    },
  };
}

/**
 * Whether one of the messages contains the sentence: word for word in the documented version; in other versions, two thirds of
 * its words are enough.
 */
export function isSaid(sentence: string, messages: readonly string[], isDocumentedVersion: boolean): boolean {
  if (isDocumentedVersion) return messages.some((message) => message.includes(sentence));
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\w-]+/g) ?? [];
  const words = wordsOf(sentence);
  return messages.some((message) => {
    const said = new Set(wordsOf(message));
    return words.filter((word) => said.has(word)).length >= (2 / 3) * words.length;
  });
}
