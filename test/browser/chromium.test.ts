import { CHROMIUM_ENGINE } from '../support/engines.ts';
import { testIn } from './every-engine.ts';

testIn(CHROMIUM_ENGINE);
