/**
 * The whole page: search, plate and footer.
 */
import { Announcer } from './elements/announcer.tsx';
import { Footer } from './footer.tsx';
import { PlatePanel } from './plate/plate-panel.tsx';
import { showPlate } from './plate/plate-place.ts';
import { SearchPanel } from './search/search-panel.tsx';

export function Page() {
  return (
    <>
      <button type="button" className="skip" onClick={showPlate}>
        Skip to the plate
      </button>
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
