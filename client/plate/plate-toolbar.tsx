/**
 * Actions on the whole plate.
 */
import { Icon, type IconName } from '../elements/icon.tsx';
import type { Plate } from '../foods/plate.ts';
import { changePlate, noticeStore } from '../stores/page-stores.ts';
import { copyText, download } from './clipboard.ts';
import { plateCsv } from './plate-csv.ts';
import { plateLink } from './plate-link.ts';
import { closeSheet, focusPlate } from './plate-place.ts';

/** Without it spreadsheets do not read a file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

interface Action {
  readonly name: string;
  readonly icon: IconName;
  readonly run: (plate: Plate) => void;
}

const ACTIONS: readonly Action[] = [
  {
    name: 'Copy link',
    icon: 'link',
    run: (plate) =>
      void copy(plateLink(plate, location.href), 'Link copied. Anyone who opens it sees this plate.'),
  },
  {
    name: 'Copy CSV',
    icon: 'copy',
    run: (plate) => void copy(plateCsv(plate), 'Plate copied as CSV.'),
  },
  {
    name: 'Save CSV',
    icon: 'download',
    run: (plate) => download('plate.csv', 'text/csv;charset=utf-8', BYTE_ORDER_MARK + plateCsv(plate)),
  },
  { name: 'Print', icon: 'print', run: printPlate },
  {
    name: 'Clear',
    icon: 'trash',
    run: (plate) => {
      changePlate([], { text: 'Plate cleared.', before: plate });
      focusPlate();
    },
  },
];

export function PlateToolbar({ plate }: { readonly plate: Plate }) {
  return (
    <fieldset className="toolbar">
      <legend className="unseen">Share or clear the plate</legend>
      {ACTIONS.map(({ name, icon, run }) => (
        <button type="button" key={name} className="tool" onClick={() => run(plate)}>
          <Icon name={icon} />
          {name}
        </button>
      ))}
    </fieldset>
  );
}

/** On paper the plate is not a sheet. */
function printPlate(): void {
  closeSheet();
  window.print();
}

async function copy(text: string, done: string): Promise<void> {
  noticeStore.set({ text: (await copyText(text)) ? done : 'The browser does not allow this page to copy.' });
}
