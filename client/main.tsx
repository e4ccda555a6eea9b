import { render } from 'preact';
import { Page } from './page.tsx';
import { openLinkedPlate } from './plate/linked-plate.ts';
import { typedBefore } from './search/query-in-address.ts';
import { type } from './search/search-store.ts';
import { checkDataSet } from './service/data-set.ts';
import './styles/base.css';
import './styles/search.css';
import './styles/table.css';
import './styles/plate.css';
import './styles/print.css';

const root = document.getElementById('root');
if (root === null) throw new Error('the page lacks #root');
// The box is drawn before this script arrives, so a text may be in it already.
const early = document.querySelector<HTMLInputElement>('#box')?.value;
type(early || typedBefore());
void checkDataSet(null);
openLinkedPlate();
root.replaceChildren();
render(<Page />, root);
