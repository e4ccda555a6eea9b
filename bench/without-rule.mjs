/**
 * Loaded before the built command, switches off the rule of the order or the weight named by WITHOUT_RULE, so that
 * `npm run relevance` can measure what it is worth.
 */
import { BuildThread } from '../dist/search/building/build-thread.js';
import { KINDS } from '../dist/search/ranking/kinds.js';
import { POINTS } from '../dist/search/ranking/points.js';

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
  const { groupNames } = BuildThread.prototype;
  BuildThread.prototype.groupNames = function groupAsNew(job) {
    groupNames.call(this, job);
    job.groups.isRepeat.fill(0);
  };
}

function noWordLists() {
  for (const kind of KINDS) kind.points = 0;
  POINTS.mainForm = 0;
}

/** By rule, in the order of docs/order.md. */
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
};

/** The weights that can be switched off one by one; that of plurals applies during the search, not in the index. */
export const WEIGHTS = Object.keys(POINTS).filter((name) => name !== 'plural');

const { WITHOUT_RULE } = process.env;
if (WITHOUT_RULE) (RULES[WITHOUT_RULE] ?? weightless(WITHOUT_RULE))();
