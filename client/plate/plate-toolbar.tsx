/**
 * Actions on the whole plate.
 */
import { Toolbar } from '@base-ui/react/toolbar';
import type { ReactNode } from 'react';
import { Icon } from '../elements/icon.tsx';
import type { Plate } from '../foods/plate.ts';
import { plateStore } from '../stores/page-stores.ts';
import { copyText, download } from './clipboard.ts';
import { showNotice } from './notice.ts';
import { focusPlate } from './plate-anchor.ts';
import { plateCsv } from './plate-csv.ts';
import { plateLink } from './plate-link.ts';

/** Without it spreadsheets do not read a file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

interface Action {
  readonly name: string;
  readonly icon: ReactNode;
  readonly run: (plate: Plate) => void;
}

const ACTIONS: readonly Action[] = [
  {
    name: 'Copy link',
    icon: <Icon name="link" />,
    run: (plate) =>
      void copy(plateLink(plate, location.href), 'Link copied. Anyone who opens it sees this plate.'),
  },
  {
    name: 'Copy CSV',
    icon: <Icon name="copy" />,
    run: (plate) => void copy(plateCsv(plate), 'Plate copied as CSV.'),
  },
  {
    name: 'Save CSV',
    icon: <Icon name="download" />,
    run: (plate) => download('plate.csv', 'text/csv;charset=utf-8', BYTE_ORDER_MARK + plateCsv(plate)),
  },
  { name: 'Print', icon: <Icon name="print" />, run: () => window.print() },
  {
    name: 'Clear',
    icon: <Icon name="trash" />,
    run: (plate) => {
      plateStore.set([]);
      focusPlate();
      showNotice({ text: 'Plate cleared.', before: plate });
    },
  },
];

export function PlateToolbar({ plate }: { readonly plate: Plate }) {
  return (
    <Toolbar.Root className="toolbar" aria-label="Plate">
      {ACTIONS.map(({ name, icon, run }) => (
        <Toolbar.Button key={name} className="tool" onClick={() => run(plate)}>
          {icon}
          {name}
        </Toolbar.Button>
      ))}
    </Toolbar.Root>
  );
}

async function copy(text: string, done: string): Promise<void> {
  showNotice({ text: (await copyText(text)) ? done : 'The browser does not allow this page to copy.' });
}
