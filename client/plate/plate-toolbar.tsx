/**
 * What can be done with the whole plate.
 */
import { Toolbar } from '@base-ui/react/toolbar';
import type { ReactNode } from 'react';
import { copyText, download } from '../clipboard.ts';
import { Icon } from '../icons.tsx';
import { plateStore } from '../page-stores.ts';
import { say } from './notice.ts';
import type { Plate } from './plate.ts';
import { plateCsv } from './plate-csv.ts';
import { plateLink } from './plate-link.ts';
import { focusPlate } from './plate-place.ts';

/** Without it spreadsheets take the UTF-8 of a file for another encoding. */
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
      void copy(
        plateLink(plate, location.href),
        'The link to this plate is copied. Whoever opens it sees the plate.',
      ),
  },
  {
    name: 'Copy CSV',
    icon: <Icon name="copy" />,
    run: (plate) => void copy(plateCsv(plate), 'The plate is copied as CSV.'),
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
      say({ text: 'The plate is cleared.', before: plate });
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
  say({ text: (await copyText(text)) ? done : 'The browser does not let this page copy.' });
}
