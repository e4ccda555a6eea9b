import { MOST_POPULAR } from '../ranking/points.ts';

/** From 0 (not popular, or not known) to MOST_POPULAR, by logarithm. @param most the highest popularity of all foods */
export function popularityLevel(popularity: number, most: number): number {
  if (popularity === 0) return 0;
  return Math.max(1, Math.round((MOST_POPULAR * Math.log2(1 + popularity)) / Math.log2(1 + most)));
}
