/**
 * Loaded before the built command, switches off the rule of the order or the weight named by WITHOUT_RULE, so that
 * `npm run relevance` can measure what it is worth.
 */
import { BuildThread } from '../dist/search/building/build-thread.js';
import { BEGIN_ADDITIONS } from '../dist/search/ranking/food-name.js';
import { KINDS, WordTable } from '../dist/search/ranking/kinds.js';
import { POINTS, WORD_WEIGHTS } from '../dist/search/ranking/points.js';

/** Sets some weights to 0. */
const weightless =
  (...names) =>
  () => {
    for (const name of names) {
      if (!(name in POINTS)) throw new Error(`no weight in src/search/ranking/points.ts is called ${name}`);
      POINTS[name] = 0;
    }
  };

/** Treats every name as its first occurrence. */
function noRepeats() {
  const { score } = BuildThread.prototype;
  BuildThread.prototype.score = function scoreAsNew(job) {
    job.neighbours.isRepeat.fill(0);
    return score.call(this, job);
  };
}

function noAdditions() {
  const { of } = WordTable.prototype;
  WordTable.prototype.of = function ofOthers(...span) {
    return this === BEGIN_ADDITIONS ? undefined : of.apply(this, span);
  };
}

function noWordLists() {
  for (const kind of KINDS) kind.points = 0;
  POINTS.mainForm = 0;
}

/** By rule. */
export const RULES = {
  'a name once': noRepeats,
  'the whole name': weightless('wholeName'),
  'how much of its segment the text is': weightless(
    'whole',
    'wholeFront',
    'begins',
    'beginsOnlyWord',
    'ends',
    'endsFront',
    'wholeWord',
  ),
  'the segment that names the food': weightless('textStart', 'front', 'behindShelf', 'second', 'brackets'),
  'neighbours that are foods themselves': weightless('otherFoodBefore', 'otherFoodBehind'),
  'additions behind a link': weightless('addition'),
  'what commas mean': weightless('flavour'),
  'word lists': noWordLists,
  'counts of segments and words': weightless('beganWord', 'family', 'subfamily', 'secondWord'),
  'foods of the same name': weightless('sameName'),
  'everyday food': weightless('everyday'),
  brands: weightless('brand'),
  length: weightless('length'),
  'another name in brackets': weightless('otherName'),
  'words before an addition': noAdditions,
  'what a food is without': () => {
    WORD_WEIGHTS.denied = 255;
  },
};

/** Rules that apply during a search by words, as what replaces weights and options of readings. */
export const SEARCH_RULES = {
  'rare words weigh more': { weights: { rarity: 0 } },
  'foods with some of the words': { weights: { had: 2000 } },
  'no other words in the name': { weights: { wholeName: 0 } },
  'other names of foods': { options: { otherNames: () => [] } },
  'two words as one, one as two': { options: { joined: () => [], divided: () => [] } },
  corrections: { options: { corrected: () => [] } },
};

/** The weights that can be switched off one by one; that of plurals applies during the search, not in the index. */
export const WEIGHTS = Object.keys(POINTS).filter((name) => name !== 'plural');

const { WITHOUT_RULE } = process.env;
if (WITHOUT_RULE && !(WITHOUT_RULE in SEARCH_RULES)) (RULES[WITHOUT_RULE] ?? weightless(WITHOUT_RULE))();
