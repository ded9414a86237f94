import './no-eval.ts';
import './first-popstate.ts';
import './ui/fonts.css';
import './dresses/notte.css';
import './dresses/alba.css';
import './ui/tokens.css';
import './ui/base.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  UNSAFE_createRouter as createRouter,
  UNSAFE_defaultMapRouteProperties as mapRouteProperties,
} from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { pageTexts } from '../texts/access.ts';
import { isTooOld } from './old-phone.ts';
import { routes } from './router.tsx';
import { nameToasts } from './ui/toaster/toast.ts';
import { markFailedChunk } from './use-reload.ts';

addEventListener('vite:preloadError', ({ payload }) => markFailedChunk(payload));
nameToasts(pageTexts.toasts);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
// `createBrowserRouter` combines these three, but its module includes links and forms: 3.5 kB gzipped more for every visitor.
const app = (
  <RouterProvider
    router={createRouter({ routes, mapRouteProperties, history: createBrowserHistory() }).initialize()}
  />
);
if (!isTooOld()) {
  // Only `/` is prerendered (prerender.tsx).
  if (root.hasChildNodes()) hydrateRoot(root, app);
  else createRoot(root).render(app);
}
