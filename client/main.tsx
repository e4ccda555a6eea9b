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

openLinkedPlate();
const root = document.getElementById('root');
if (root === null) throw new Error('the page lacks #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>
  </StrictMode>,
);
