/** Loaded before the built command, sets the weights of the order that WITHOUT names to 0, for `npm run relevance`. */
import { POINTS } from '../dist/search/ranking/points.js';

for (const name of process.env.WITHOUT.split(',')) if (name in POINTS) POINTS[name] = 0;
