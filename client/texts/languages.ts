/** The languages of the page, each by its own name. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  nl: 'Nederlands',
  ja: '日本語',
  'zh-Hans': '简体中文',
} as const;

export type Language = keyof typeof LANGUAGES;

export const CODES = Object.keys(LANGUAGES) as readonly Language[];

export const fileOf = (language: Language): string => `texts/${language}.json`;

/** Beside the page: the texts of each language but English. */
export const textFiles = (): readonly string[] => CODES.filter((code) => code !== 'en').map(fileOf);

const primary = (tag: string): string => tag.split('-', 1)[0]?.toLowerCase() ?? '';

/** The first of a person's languages that the page has: English of "sv-SE, en-GB". */
export const languageIn = (tags: readonly string[]): Language | undefined =>
  tags.map((tag) => CODES.find((code) => primary(code) === primary(tag))).find((code) => code !== undefined);
