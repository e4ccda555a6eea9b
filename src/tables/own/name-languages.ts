/** Which columns have names of the foods in which language. */
import type { TakenColumn } from '../report/source-report.ts';
import { placeOf } from './amounts.ts';
import { type ColumnCandidate, isOfFood } from './candidates.ts';

/** A further language: its column of names, and those of other names. */
export interface NameLanguage {
  readonly language: string;
  readonly name: ColumnCandidate;
  readonly others: readonly ColumnCandidate[];
  readonly taken: TakenColumn;
}

/** Headings of texts about a food, unless such a one names the foods. */
const PROSE = /descri|bes[ck]h?r/i;

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one.split('-', 1)[0] === other?.toLowerCase().split('-', 1)[0];

/**
 * Sets the columns of names and other names apart that are in other languages than the descriptions.
 * @param fields the columns of each field, the most exact first @param wanted the language of the descriptions, if it is known
 */
export function byLanguage(fields: readonly (readonly ColumnCandidate[])[], wanted: string | undefined) {
  const of = (field: string) => fields.find(([each]) => each?.field === field) ?? [];
  const names = of('description').filter(isOfFood);
  const [first] = names;
  // A column without a language, or that the user chose, names the foods before any other.
  const isFixed = first?.language === undefined || first.score.length === 1;
  const best = (isFixed ? undefined : names.find(({ language }) => isSame(language, wanted))) ?? first;
  const own = wanted ?? best?.language;
  const languages = names.flatMap((name, i): NameLanguage[] => {
    const { language, heading } = name;
    const isFirst = names.findIndex((each) => each.language === language) === i;
    const isProse = PROSE.test(heading) && !PROSE.test(best?.heading ?? '');
    if (name === best || language === undefined || isSame(language, own) || !isFirst || isProse) return [];
    const others = of('names').filter((each) => each.language === language);
    const note = others.map((each) => `and ${placeOf(each)}`).join(', ');
    return [{ language, name, others, taken: { field: language, column: name.index + 1, heading, note } }];
  });
  const used = new Set(languages.flatMap(({ name, others }) => [name, ...others]));
  const kept = fields.map((all) => all.filter((each) => !used.has(each)));
  return {
    /** Of the descriptions, if their heading says it. */
    language: best?.language,
    languages,
    fields: kept.map((all) => all.toSorted((a, b) => Number(b === best) - Number(a === best))),
  };
}
