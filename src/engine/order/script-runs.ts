/**
 * Words of scripts that put no blanks between words: 红烧牛肉面 is one word of the text, and 牛肉 is found in it by pairs of
 * characters. Ranges of characters and not `Intl.Segmenter`, which divides by the dictionary of the ICU at hand: an index would
 * depend on the Node.js that made it, and 牛肉 is not found where it divides 紅燒|牛肉麵.
 */

import { sify } from 'chinese-conv';
import { hasSurrogates } from '#core';

/** Thai, Lao, Myanmar, Hangul, Khmer, kana and Han. */
const RUN =
  /[\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u3005-\u3007\u3041-\u30fa\u30fc-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}]+/gu;
/** Half-width kana, and full-width digits and letters. */
const WIDTHS = /[\uff10-\uff19\uff41-\uff5a\uff66-\uff9f]+/g;
const ANY = new RegExp(`${RUN.source}|${WIDTHS.source}`, 'u');

/** What stands before the first run: "dha" of "dha強化卵". */
const BEFORE = /^[a-z0-9\u00c0-\u0dff]+/;

const HAN = /[\u3400-\u9fff]+/g;
const KATAKANA = /[ァ-ヶ]/g;
const SMALL = 'ぁぃぅぇぉっゃゅょゎゕゖ';
const LARGE = 'あいうえおつやゆよわかけ';
const SMALL_KANA = new RegExp(`[${SMALL}]`, 'g');
const TO_HIRAGANA = 0x60;

/** All of {@link ANY} is from here on, which most texts do not reach. */
const FIRST_OF_ANY = 0xe00;

/** Whether a folded text has words that are spelled or divided otherwise than they are written. */
export function hasRuns(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= FIRST_OF_ANY) return ANY.test(text);
  return false;
}

/** Traditional characters are simplified, both widths the usual one, katakana is hiragana, and small kana are large ones. */
export const scriptFolded = (text: string): string =>
  hasRuns(text)
    ? text
        .replace(HAN, sify)
        .replace(WIDTHS, (some) => some.normalize('NFKC'))
        .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - TO_HIRAGANA))
        .replace(SMALL_KANA, (kana) => LARGE[SMALL.indexOf(kana)]!)
    : text;

/**
 * Of a word that `scriptFolded` has had the pairs of neighbours in its runs, with each run of a single character; and itself, with the
 * ends of its other runs.
 */
export function partsOf(word: string): {
  readonly pairs: readonly string[];
  readonly wholes: readonly string[];
} {
  const pairs: string[] = [];
  const wholes = [word];
  for (const run of word.match(RUN) ?? []) {
    const characters = hasSurrogates(run) ? Array.from(run) : run;
    for (let i = 1; i < characters.length; i++) pairs.push(characters[i - 1]! + characters[i]!);
    (characters.length === 1 ? pairs : wholes).push(characters.at(-1)!);
  }
  return { pairs, wholes };
}

/** The words of the vocabulary by which such a word of a food is found. */
export function spellingsOf(word: string): readonly string[] {
  if (!hasRuns(word)) return [word];
  const { pairs, wholes } = partsOf(word);
  return [...wholes, ...pairs];
}

/** What is looked up for a typed word: its pairs, and the letters before them. */
export const piecesOf = (word: string): string[] => [...(BEFORE.exec(word) ?? []), ...partsOf(word).pairs];
