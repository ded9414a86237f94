import type { RouteObject } from 'react-router';
import { PAGES } from '../contract/pages.ts';
import type { chunks } from './admin/chunks.tsx';
import { loadExperience } from './experience-chunk.ts';
import { ErrorPage } from './pages/error.tsx';
import { Visitor } from './visitor/visitor.tsx';

/** The pages (spec 2). Only the access screen is in the first chunk. */
export const routes: RouteObject[] = [
  {
    ErrorBoundary: ErrorPage,
    // Shows only the document's background until the page's chunk is loaded.
    HydrateFallback: () => null,
    children: [
      {
        Component: Visitor,
        children: [
          { path: '/', element: null },
          { path: '/experience', lazy: async () => ({ Component: (await loadExperience()).ExperiencePage }) },
        ],
      },
      {
        path: '/prova',
        lazy: async () => ({ Component: (await import('./visitor/rehearsal/page.tsx')).RehearsalPage }),
      },
      {
        path: '/ricordo',
        lazy: async () => ({ Component: (await import('./keepsake/page.tsx')).KeepsakePage }),
      },
      {
        path: '/diagnostica',
        lazy: async () => ({ Component: (await import('./diagnosis/page.tsx')).DiagnosisPage }),
      },
      {
        lazy: async () => ({ Component: await (await administration()).provider() }),
        children: [
          { path: '/admin', lazy: async () => ({ Component: await (await administration()).signIn() }) },
          {
            lazy: async () => ({ Component: await (await administration()).layout() }),
            children: [
              {
                // A page that can't be loaded shows an error in its place; the frame stays, and uploads continue.
                lazy: async () => ({ ErrorBoundary: await (await administration()).unfetchedPage() }),
                children: PAGES.filter((path) => path.startsWith('/admin/')).map(adminRoute),
              },
            ],
          },
        ],
      },
      { path: '*', lazy: async () => ({ Component: (await import('./pages/not-found.tsx')).NotFoundPage }) },
    ],
  },
];

function adminRoute(path: string): RouteObject {
  return { path, lazy: async () => ({ Component: await (await administration()).page(path) }) };
}

type Administration = typeof chunks;

let loading: Promise<Administration> | undefined;

/** Loads the administration once for all routes of an address. Their modules then load in route order, so that outer styles come first. */
function administration(): Promise<Administration> {
  loading ??= import('./admin/chunks.tsx').then(
    ({ chunks }) => chunks,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
