import './no-eval.ts';
import './first-popstate.ts';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { pageTexts } from '../texts/pages.ts';
import { routes } from './router.tsx';
import { nameToasts } from './ui/toaster/toast.ts';

nameToasts(pageTexts.toasts);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
const app = <RouterProvider router={createBrowserRouter(routes)} />;
// Only `/` comes painted (prerender.tsx).
if (root.hasChildNodes()) hydrateRoot(root, app);
else createRoot(root).render(app);
