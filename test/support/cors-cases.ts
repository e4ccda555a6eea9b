/** How services answer requests from other origins: correct headers, and common mistakes. */
import { ANSWER_CASES } from './cors-cases/answers.ts';
import type { Case } from './cors-cases/case.ts';
import { HEADER_CASES } from './cors-cases/headers.ts';
import { METHOD_CASES } from './cors-cases/methods.ts';
import { ORIGIN_CASES } from './cors-cases/origins.ts';
import { REDIRECT_CASES } from './cors-cases/redirects.ts';

export const CASES: readonly Case[] = [
  ...ORIGIN_CASES,
  ...METHOD_CASES,
  ...HEADER_CASES,
  ...REDIRECT_CASES,
  ...ANSWER_CASES,
];
