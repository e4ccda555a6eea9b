/**
 * The whole page: search, plate and footer.
 */
import { Announcer } from './elements/announcer.tsx';
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
