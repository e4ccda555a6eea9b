/**
 * Chooses the content coding of an answer by `Accept-Encoding` (RFC 9110, 12.5.3).
 */

/** Content codings, the preferred one first. */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** The weight of a coding is 1 where none is given. */
const DEFAULT_WEIGHT = 1;

/** A number from 0 to 1. More digits than the three of the grammar do no harm. */
const WEIGHT = /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/;

/** Browsers send few different values, so the choice is remembered for these; invented ones cannot fill the memory. */
const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_LENGTH = 100;
const remembered = new Map<string, Coding | undefined>();

/**
 * The coding with the greatest weight, the preferred one among equals; undefined: none, the answer is sent plain. It is
 * sent plain, too, where the client excludes everything.
 * @param accepted value of `Accept-Encoding`
 */
export function codingFor(accepted: string | undefined): Coding | undefined {
  if (accepted === undefined || accepted === '') return undefined;
  const known = remembered.get(accepted);
  if (known !== undefined || remembered.has(accepted)) return known;
  const coding = choose(weightsOf(accepted));
  if (accepted.length <= MAX_REMEMBERED_LENGTH && remembered.size < MAX_REMEMBERED)
    remembered.set(accepted, coding);
  return coding;
}

function choose(weights: ReadonlyMap<string, number>): Coding | undefined {
  const others = weights.get('*') ?? 0;
  // Where nothing is said of the plain answer, it is accepted after all codings that are.
  const plain = weights.get('identity') ?? 0;
  let chosen: Coding | undefined;
  let best = 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others;
    if (weight > best && weight >= plain) {
      chosen = coding;
      best = weight;
    }
  }
  return chosen;
}

/** Weights by names in lower case. */
function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = element.split(';');
    const coding = name.trim();
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weightOf(parameters));
  }
  return weights;
}

/** A weight that cannot be read is 0: plain is right for everybody. */
function weightOf(parameters: readonly string[]): number {
  const [parameter] = parameters;
  if (parameter === undefined) return DEFAULT_WEIGHT;
  const [name = '', value = ''] = parameter.split('=');
  return name.trim() === 'q' && WEIGHT.test(value.trim()) ? Number(value) : 0;
}
