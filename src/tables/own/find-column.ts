/** Finds the column that the user names. */
import { shown, UserError } from '#core';

interface Header {
  readonly headings: readonly string[];
  readonly where: string;
}

/** The position of the only column with the heading that a flag names. @throws UserError */
export function positionOf({ headings, where }: Header, heading: string, flag: string): number {
  const [index, ...others] = findHeading(headings, heading);
  if (index !== undefined && others.length === 0) return index;
  const fault = index === undefined ? 'there is no such column' : 'several columns have this name';
  throw new UserError(
    `${where}: ${shown(flag)}: ${fault}; the header names ${shown(headings.join(','))}. Write the heading as it stands there.`,
  );
}

/** The positions of the columns with this heading; if none is exactly the same, spaces and case do not count. */
export function findHeading(headings: readonly string[], wanted: string): number[] {
  const positions = (form: (text: string) => string): number[] =>
    headings.flatMap((heading, index) => (form(heading) === form(wanted) ? [index] : []));
  const exact = positions((text) => text);
  return exact.length > 0 ? exact : positions((text) => text.replace(/\s+/g, ' ').trim().toLowerCase());
}
