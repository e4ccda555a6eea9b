/**
 * Actions on the whole plate.
 */
import { Icon, type IconName } from '../elements/icon.tsx';
import type { Plate } from '../foods/plate.ts';
import { changePlate, notify } from '../stores/page-stores.ts';
import { copyTable, copyText } from './clipboard.ts';
import { plateLink } from './plate-link.ts';
import { closeSheet, focusPlate } from './plate-place.ts';
import { plateRows } from './plate-rows.ts';

interface Action {
  readonly name: string;
  readonly icon: IconName;
  readonly run: (plate: Plate) => void;
}

const ACTIONS: readonly Action[] = [
  { name: 'Share', icon: 'link', run: (plate) => void share(plateLink(plate, location.href)) },
  {
    name: 'Copy table',
    icon: 'copy',
    run: (plate) =>
      said(copyTable(plateRows(plate)), 'Table copied. Paste it into a spreadsheet or a document.'),
  },
  { name: 'Print', icon: 'print', run: printPlate },
  {
    name: 'Clear',
    icon: 'trash',
    run: () => {
      changePlate([], 'Plate cleared.');
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

/** Phones offer their apps; other browsers copy. */
async function share(url: string): Promise<void> {
  try {
    if (navigator.share === undefined || !window.matchMedia('(hover: none)').matches) throw new Error('copy');
    await navigator.share({ title: 'Plate', url });
  } catch (error) {
    // The user closed the list of apps.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    said(await copyText(url), 'Link copied. Anyone who opens it sees this plate.');
  }
}

function said(isCopied: boolean, done: string): void {
  notify(isCopied ? done : 'The browser does not allow this page to copy.');
}
