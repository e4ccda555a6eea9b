import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Page } from './page.tsx';
import { openLinkedPlate } from './plate/linked-plate.ts';
import './styles/base.css';
import './styles/search.css';
import './styles/table.css';
import './styles/plate.css';
import './styles/portions.css';
import './styles/print.css';

// A service on this machine is reachable without a network.
const QUERIES = { networkMode: 'always', retry: false, refetchOnWindowFocus: false } as const;

openLinkedPlate();
const root = document.getElementById('root');
if (root === null) throw new Error('the page lacks #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: QUERIES } })}>
      <Page />
    </QueryClientProvider>
  </StrictMode>,
);
