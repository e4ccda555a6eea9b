/**
 * The whole page: what is looked up, what is on the plate, and where the figures come from.
 */
import { Announcer } from './announce.tsx';
import { Footer } from './footer.tsx';
import { PlateBar } from './plate/plate-bar.tsx';
import { PlatePanel } from './plate/plate-panel.tsx';
import { SearchPanel } from './search/search-panel.tsx';

export function Page() {
  return (
    <>
      <header className="masthead">
        <h1>Food lookup</h1>
      </header>
      <main>
        <SearchPanel />
        <PlatePanel />
      </main>
      <Footer />
      <PlateBar />
      <Announcer />
    </>
  );
}
