/** Announces messages to screen readers through polite live regions. */

/** ms without another message after which a count is announced, so that typing does not announce one for every letter. */
const REST = 700;

let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  clearTimeout(timer);
  // An open sheet hides the rest of the page from screen readers.
  const region = document.querySelector(':modal output') ?? document.querySelector('#page > output');
  // They announce changes only, so a repeated message must differ.
  if (region !== null) region.textContent = text === region.textContent ? `${text}\u00a0` : text;
}

export function announceAtRest(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => announce(text), REST);
}

export function Announcer() {
  return <output className="unseen" aria-live="polite" />;
}
