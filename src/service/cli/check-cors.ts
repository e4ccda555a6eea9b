/** `food-lookup check-cors URL --origin ORIGIN`: sends what a browser would send, and explains how it treats the answers. */

import { hasScheme, parseInput, shown, WrongUse } from '#core';
import {
  browserFetch,
  explain,
  type FetchTrace,
  type HeaderFields,
  isForbiddenHeader,
  isForbiddenMethod,
  isToken,
  overNetwork,
  type PageRequest,
  sentMethod,
  type Verdict,
} from '#cors-check';
import { parsePageOrigin } from '../settings/origin.ts';
import { print } from './print.ts';

export interface CheckCorsFlags {
  readonly origin: string;
  readonly method: string;
  readonly header: readonly string[];
  readonly credentials?: boolean;
  /** s for one answer. */
  readonly timeout: string;
}

/** Sets exit code 1 if the page may not read the answer. @throws WrongUse for arguments that cannot be used */
export async function checkCors(address: string, flags: CheckCorsFlags): Promise<void> {
  const url = readAddress(address);
  const origin = parseInput(
    `--origin: ${shown(flags.origin)}`,
    () => parsePageOrigin(flags.origin),
    WrongUse,
  );
  const method = readMethod(flags.method);
  const given = flags.header.map(parseHeader);
  const headers = given.filter(([name]) => !isForbiddenHeader(name));
  const page: PageRequest = { url, origin, method, headers, credentials: flags.credentials === true };
  const trace = await browserFetch(page, overNetwork(readTimeout(flags.timeout)));
  const found = explain(page, trace);
  const dropped = given.filter((field) => !headers.includes(field));
  const notes = dropped.map(([name]) => `A page cannot set the header ${name}; the browser leaves it out.`);
  print(linesOf(page, trace, { ...found, notes: [...notes, ...found.notes] }));
  process.exitCode = trace.fault === undefined ? 0 : 1;
}

function readAddress(address: string): URL {
  if (!hasScheme(address) || !URL.canParse(address)) {
    throw new WrongUse(
      `URL: ${shown(address)} is not a valid address. Write it in full, such as http://localhost:3001/api/food?q=egg`,
    );
  }
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') {
    throw new WrongUse(
      'URL: a page cannot request an address with a user name or password in it. Leave them out.',
    );
  }
  url.hash = '';
  return url;
}

function readMethod(text: string): string {
  if (!isToken(text) || isForbiddenMethod(text)) {
    throw new WrongUse(`--method: a page cannot use ${shown(text)}. Expected a method such as GET.`);
  }
  return sentMethod(text);
}

function parseHeader(text: string): HeaderFields[number] {
  const [, name = '', value = ''] = /^([^:]+):[ \t]*(.*?)[ \t]*$/.exec(text) ?? [];
  if (isToken(name) && !/[^\t\x20-\x7e\x80-\xff]/.test(value)) return [name, value];
  throw new WrongUse(`--header: ${shown(text)} is not a header. Expected "Name: value".`);
}

function readTimeout(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3600) return seconds * 1000;
  throw new WrongUse(`--timeout: ${shown(text)} cannot be used. Expected seconds, such as 10.`);
}

const isRelevant = (name: string): boolean =>
  /^(access-control-|cross-origin-resource-policy$|vary$|location$)/i.test(name);

function linesOf(page: PageRequest, trace: FetchTrace, { verdict, why, remedies, notes }: Verdict): string[] {
  const lines = [
    `A page on ${page.origin} requests ${page.method} ${page.url.href}${page.credentials ? ' with credentials' : ''}`,
  ];
  for (const { kind, method, url, headers, answer } of trace.steps) {
    lines.push('', `${kind === 'preflight' ? 'Preflight' : 'Request'}: ${method} ${url.href}`);
    for (const [name, value] of headers) lines.push(`  > ${name}: ${value}`);
    lines.push(`  < ${answer?.status ?? 'no answer'}`);
    for (const [name, value] of answer?.headers ?? [])
      if (isRelevant(name)) lines.push(`  < ${name}: ${value}`);
  }
  lines.push('', verdict);
  if (why !== undefined) lines.push(`Why: ${why}`);
  for (const remedy of remedies) lines.push(`To change it: ${remedy}`);
  for (const note of notes) lines.push(`Note: ${note}`);
  return lines;
}
