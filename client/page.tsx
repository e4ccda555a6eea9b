/**
 * The whole page: search, plate and footer.
 */
import type { MouseEvent } from 'react';
import { Announcer } from './elements/announcer.tsx';
import { Footer } from './footer.tsx';
import { PlatePanel } from './plate/plate-panel.tsx';
import { PLATE_ID, showPlate } from './plate/plate-place.ts';
import { SearchPanel } from './search/search-panel.tsx';

export function Page() {
  const skip = (event: MouseEvent) => {
    event.preventDefault();
    showPlate();
  };
  return (
    <>
      <a className="skip" href={`#${PLATE_ID}`} onClick={skip}>
        Skip to the plate
      </a>
      <header className="masthead">
        <h1>
          <Logo />
          <span>
            food <b>lookup</b>
          </span>
        </h1>
      </header>
      <main>
        <SearchPanel />
        <PlatePanel />
      </main>
      <Footer />
      <Announcer />
    </>
  );
}

/** The two pairs of o in the name: a plate, and the ring of its energy. */
function Logo() {
  return (
    <svg className="logo" viewBox="0 0 40 24" aria-hidden="true">
      <circle cx="12" cy="12" r="9" />
      <circle className="open" cx="28" cy="12" r="9" />
    </svg>
  );
}
