/**
 * Copies a text or a table. Browsers offer the clipboard API only over https and on localhost; the older command works elsewhere
 * too, for example in a home network.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyAs({ 'text/plain': text });
  }
}

/** For spreadsheets with cells, as HTML for documents. */
export function copyTable(rows: readonly (readonly string[])[]): boolean {
  const table = document.createElement('table');
  for (const cells of rows) {
    const row = table.insertRow();
    for (const cell of cells) row.insertCell().textContent = cell;
  }
  const lines = rows.map((cells) => cells.map((cell) => cell.replaceAll(/[\t\r\n]+/g, ' ')).join('\t'));
  return copyAs({ 'text/html': table.outerHTML, 'text/plain': lines.join('\r\n') });
}

function copyAs(formats: Readonly<Record<string, string>>): boolean {
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
  return isCopied;
}
