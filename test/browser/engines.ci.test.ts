import { OTHER_ENGINES } from '../support/engines.ts';
import { testIn } from './every-engine.ts';

for (const engine of OTHER_ENGINES) testIn(engine);
