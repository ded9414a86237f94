import type { RouteObject } from 'react-router';
import { PAGES } from '../contract/pages.ts';
import { loadExperience } from './experience-chunk.ts';
import { ErrorPage } from './pages/error.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { AccessPage } from './visitor/access/page.tsx';

/** The pages (spec 2). Only the access screen is in the first chunk. */
export const routes: RouteObject[] = [
  {
    ErrorBoundary: ErrorPage,
    // Until a page's chunk is there the shell's ground is all there is to see.
    HydrateFallback: () => null,
    children: [
      { path: '/', Component: AccessPage },
      {
        path: '/prova',
        lazy: async () => ({ Component: (await import('./visitor/rehearsal/page.tsx')).RehearsalPage }),
      },
      { path: '/experience', lazy: async () => ({ Component: (await loadExperience()).ExperiencePage }) },
      {
        lazy: async () => ({ Component: (await import('./admin/provider.tsx')).Workshop }),
        children: [
          {
            path: '/admin',
            lazy: async () => ({ Component: (await import('./admin/door/page.tsx')).DoorPage }),
          },
          {
            lazy: async () => ({ Component: (await import('./admin/shell/shell.tsx')).Shell }),
            children: [
              {
                // A page that can't be fetched says so in its place: the frame and the uploads go on.
                lazy: async () => ({
                  ErrorBoundary: (await import('./admin/shell/unfetched-page.tsx')).UnfetchedPage,
                }),
                children: PAGES.filter((path) => path.startsWith('/admin/')).map(workshopRoute),
              },
            ],
          },
        ],
      },
      { path: '*', Component: NotFoundPage },
    ],
  },
];

function workshopRoute(path: string): RouteObject {
  return {
    path,
    lazy: async () => ({ Component: await (await import('./admin/load-page.ts')).loadPage(path) }),
  };
}
