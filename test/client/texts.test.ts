/** The page's own texts: none is missing in any language, none is unused, and all say the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, test } from 'vitest';
import { openCatalog } from '#service';
import { countText, portionText } from '../../client/foods/amount.ts';
import { EN } from '../../client/texts/en.ts';
import { CODES, fileOf, languageIn, textFiles } from '../../client/texts/languages.ts';
import { setTexts, t, translated } from '../../client/texts/texts.ts';

afterEach(() => setTexts({}, 'en', 'en'));

type Text = string | Record<string, string>;
type Texts = Readonly<Record<string, Text>>;

const textsIn = (file: string): Texts => JSON.parse(readFileSync(`client/${file}`, 'utf8'));

/** A text, or each of its plurals. */
const formsOf = (text: Text = ''): readonly string[] =>
  typeof text === 'string' ? [text] : Object.values(text);

const namesIn = (text: string) => Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name).toSorted();

const sourcesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('texts'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .join('\n');

test('are at most 120', () => {
  expect(Object.keys(EN).length).toBeLessThanOrEqual(120);
});

test('are all used: by their key, or as what service and engine say', () => {
  const client = sourcesIn('client');
  const others = sourcesIn('src') + readFileSync('data/nutrients.txt', 'utf8');
  for (const [key, text] of Object.entries(EN)) {
    const isSaid = typeof text === 'string' && others.includes(text.replace(/(?:“|a piece).*/, ''));
    expect(client.includes(`'${key}'`) || isSaid, key).toBe(true);
  }
});

describe.each(textFiles())('%s', (file) => {
  const language = file.replace(/texts\/(.*)\.json/, '$1');
  const texts = textsIn(file);

  it('has the keys of English, in the same order, and none is empty', () => {
    expect(Object.keys(texts)).toEqual([...Object.keys(EN), 'portionWords']);
    for (const [key, text] of Object.entries(texts))
      for (const form of formsOf(text)) expect(form.trim(), key).not.toBe('');
  });

  it('names the same values as English, in each plural', () => {
    for (const [key, text] of Object.entries(EN)) {
      const names = namesIn(typeof text === 'string' ? text : text.other);
      for (const form of formsOf(texts[key])) expect(namesIn(form), key).toEqual(names);
    }
  });

  it('has the same words of portions', () => {
    const wordsOf = (all: Texts) => String(all.portionWords).split('|');
    const pairs = wordsOf(texts).map((each) => each.split('='));
    expect(pairs.map(([english]) => english)).toEqual(
      wordsOf(textsIn('texts/de.json')).map((each) => each.split('=')[0]),
    );
    for (const [english, word = '', ...others] of pairs)
      expect([word.trim(), others], english).toEqual([expect.stringMatching(/./), []]);
  });

  it('names the same keys of a keyboard', () => {
    for (const key of ['keysHelp', 'shortcut'] as const)
      expect(String(texts[key]).match(/\[.+?\]/g)).toHaveLength(EN[key].match(/\[.+?\]/g)?.length ?? 0);
  });

  it('has the plural of every number', () => {
    const plurals = new Intl.PluralRules(language);
    for (const key of Object.keys(EN)) {
      const text = texts[key] ?? '';
      expect(typeof text, key).toBe(typeof EN[key as keyof typeof EN]);
      if (typeof text === 'string') continue;
      for (const count of [...Array(201).keys(), 1000])
        expect(text, `${key} ${count}`).toHaveProperty(plurals.select(count));
    }
  });
});

describe('what service and engine say', () => {
  const files = readdirSync('src/amounts').filter((name) => name !== 'weighed-foods.ts');
  const notes = files.flatMap((name) =>
    Array.from(
      readFileSync(`src/amounts/${name}`, 'utf8').matchAll(/'([A-Z][\w ]+\.)'/g),
      ([, note = '']) => note,
    ),
  );
  const labels = Array.from(
    readFileSync('data/nutrients.txt', 'utf8').matchAll(/^([A-Z][\w ]+) \|/gm),
    ([, name = '']) => name,
  );

  it('is all translated', () => {
    expect(notes.length).toBeGreaterThan(4);
    expect(labels.length).toBe(15);
    setTexts(textsIn('texts/ja.json'), 'ja', 'ja');
    for (const text of [
      ...notes,
      ...labels,
      'The weight of “bunch” is not known.',
      'The weight of a piece is not known.',
    ])
      expect(translated(text), text).toMatch(/^[^A-Za-z]*(?:(?:bunch|kg)[^A-Za-z]*)?$/);
    expect(translated('Vitamin C')).toBe('Vitamin C');
  });
});

describe('portions', () => {
  it.each([
    ['de', '1 large', '2', '2 × Stück, groß'],
    ['de', '1 leaf, large (3" dia)', '1', '1 Blatt, groß'],
    ['de', '1 cup, chopped', '0.5', '½ Tasse, gehackt'],
    ['de', '1/2 cup', '2', '2 × 1/2 Tasse'],
    ['ja', '1 slice', '2', '2 枚'],
    ['ja', '1 tbsp', '2', '大さじ 2'],
    ['fr', '10 strips', '1', '1 × 10 bandes'],
    ['it', '2 tbsp', '1', '1 × 2 × cucchiaio'],
    // Not all words are known, or it is not English.
    ['de', '1 cup, farfalle', '1', '1 cup, farfalle'],
    ['de', '1 Stück', '1', '1 Stück'],
    ['en', '1 slice', '2', '2 slices'],
  ] as const)('in %s: %s', (language, portion, count, expected) => {
    setTexts(language === 'en' ? {} : textsIn(fileOf(language)), language, language);
    expect(countText({ count, unit: { portion, grams: '1' } })).toBe(expected);
  });

  it('are mostly said in the language of the page', async () => {
    const catalog = await openCatalog(undefined);
    const all = Array.from(catalog.records(), ({ portions = [] }) => portions).flat();
    setTexts(textsIn('texts/ja.json'), 'ja', 'ja');
    const shown = all.filter(({ portion }) => portionText(portion) !== portion);
    expect(shown.length / all.length).toBeGreaterThan(0.8);
  });
});

describe('a text', () => {
  it.each([
    ['de', 'de-DE', 1234567, '1.234.567 Lebensmittel'],
    ['fr', 'fr', 0, '0 aliment'],
    ['fr', 'fr', 1_000_000, '1 000 000 d’aliments'],
    ['es', 'es', 1, '1 alimento'],
    ['ja', 'ja', 1, '1 品'],
  ] as const)('has the plural and the number of %s (%s): %i', (language, locale, count, expected) => {
    setTexts(textsIn(fileOf(language)), language, locale);
    expect(t('foods', { count }).replaceAll(/\s/g, ' ')).toBe(expected);
  });

  it('is English where a file of an earlier release has none', () => {
    const { undo: _, ...others } = textsIn('texts/de.json');
    setTexts(others, 'de', 'de');
    expect([t('undo'), t('print')]).toEqual(['Undo', 'Drucken']);
  });

  it('keeps braces in what is put into it', () => {
    expect(t('noMatches', { text: '{text} {count}' })).toBe('No matches for “{text} {count}”');
  });
});

test.each([
  [['de-AT', 'en'], 'de'],
  [['sv-SE', 'sv', 'en-US', 'de'], 'en'],
  [['zh-TW'], 'zh-Hans'],
  [['pt-BR'], 'pt'],
  [['ar', 'he'], undefined],
  [[], undefined],
])('of the languages %j, the page has %s', (tags, expected) => {
  expect(languageIn(tags)).toBe(expected);
  expect(CODES).toContain(expected ?? 'en');
});
