/** What can be done with the whole plate, or a label: sharing, copying, printing, clearing. */
import type { Nutrient } from '../../packages/browser/search-foods.ts';
import { Icon, type IconName } from '../elements/icon.tsx';
import type { Plate } from '../foods/plate.ts';
import { changePlate, makesStore, notify, useStore } from '../stores/page-stores.ts';
import { t } from '../texts/texts.ts';
import { plateLink, plateRows } from './plate-link.ts';
import { closeSheet, thenFocusPlate } from './plate-place.ts';

type Act = readonly [name: 'share' | 'copyTable' | 'print' | 'clear', IconName, run: () => unknown];

export function Toolbar({ name, acts }: { readonly name: string; readonly acts: readonly Act[] }) {
  return (
    <fieldset className="toolbar" aria-label={name}>
      {acts.map(([act, icon, run]) => (
        <button type="button" key={act} className="tool" onClick={run}>
          <Icon name={icon} />
          {t(act)}
        </button>
      ))}
    </fieldset>
  );
}

export interface KnownPlate {
  readonly plate: Plate;
  /** Of each food. */
  readonly nutrients: readonly (readonly Nutrient[])[];
}

export function PlateToolbar({ plate, nutrients }: KnownPlate) {
  const makes = useStore(makesStore);
  return (
    <Toolbar
      name={t('plate')}
      acts={[
        ['share', 'link', () => share(plateLink(plate, location.href, makes))],
        ['copyTable', 'copy', () => copyTable(plateRows(plate, nutrients, makes))],
        ['print', 'print', printPlate],
        ['clear', 'trash', thenFocusPlate(() => changePlate([], t('cleared')))],
      ]}
    />
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
    await navigator.share({ title: t('plate'), url });
  } catch (error) {
    // The user closed the list of apps.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    copyAs({ 'text/plain': url }, t('linkCopied'));
  }
}

/** For spreadsheets with cells, as HTML for documents. */
export function copyTable(rows: readonly (readonly string[])[]): void {
  const table = document.createElement('table');
  for (const cells of rows) {
    const row = table.insertRow();
    for (const cell of cells) row.insertCell().textContent = cell;
  }
  const lines = rows.map((cells) => cells.map((cell) => cell.replaceAll(/[\t\r\n]+/g, ' ')).join('\t'));
  const formats = { 'text/html': table.outerHTML, 'text/plain': lines.join('\r\n') };
  copyAs(formats, t('tableCopied'));
}

/** By the older command: browsers offer the clipboard API only over https, not for example in a home network. */
function copyAs(formats: Readonly<Record<string, string>>, done: string): void {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  // Some browsers copy only if something is selected.
  area.value = ' ';
  area.className = 'unseen';
  // Inside an open sheet, which keeps the focus.
  (focused?.closest('dialog') ?? document.body).append(area);
  area.select();
  let isCopied = false;
  area.addEventListener('copy', (event) => {
    for (const [type, text] of Object.entries(formats)) event.clipboardData?.setData(type, text);
    event.preventDefault();
    isCopied = true;
  });
  isCopied = document.execCommand('copy') && isCopied;
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  notify(isCopied ? done : t('cannotCopy'));
}
