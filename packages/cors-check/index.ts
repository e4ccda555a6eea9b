/** The door of cors-check. */
export { browserFetch, type FetchTrace, type PageRequest } from './browser-fetch.ts';
export {
  type HeaderFields,
  isForbiddenHeader,
  isForbiddenMethod,
  isToken,
  sentMethod,
} from './fetch-rules.ts';
export { overNetwork } from './network.ts';
export { explain, type Verdict } from './verdict.ts';
