/** Which of the languages of a data set a request means. */

interface Languages {
  /** Of the descriptions. */
  readonly language?: string | undefined;
  /** The further languages in which foods have names. */
  readonly languages?: readonly string[] | undefined;
}

/** Requests name few tags; whoever names more gets them found anew each time. */
const MOST_KNOWN = 200;
const known = new WeakMap<Languages, Map<string, string | undefined>>();

/**
 * The further language of a data set that is nearest to a tag of BCP 47: of the same language, with the same script if there is one.
 * Undefined if the tag means the data set's own, or none that it has.
 */
export function furtherLanguage(dataSet: Languages, tag: string): string | undefined {
  if (dataSet.languages === undefined) return undefined;
  const found = known.get(dataSet) ?? new Map<string, string | undefined>();
  if (found.has(tag)) return found.get(tag);
  const nearest = nearestOf(dataSet, tag);
  if (found.size < MOST_KNOWN) known.set(dataSet, found.set(tag, nearest));
  return nearest;
}

/** Whether a tag means the language of the descriptions, of whatever region. */
export const isOwnLanguage = ({ language = '' }: Languages, tag: string): boolean =>
  localeOf(language)?.language === localeOf(tag)?.language;

function nearestOf(dataSet: Languages, tag: string): string | undefined {
  const wanted = localeOf(tag);
  if (wanted === undefined || isOwnLanguage(dataSet, tag)) return undefined;
  const { languages = [] } = dataSet;
  const same = languages.filter((each) => localeOf(each)?.language === wanted.language);
  return same.find((each) => localeOf(each)?.script === wanted.script) ?? same[0];
}

/** With the most likely script, by which "zh-CN" is "zh-Hans"; undefined for a text that is no tag. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return undefined;
  }
}
