import type { RouteObject } from 'react-router';
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
      { path: '/experience', lazy: async () => ({ Component: (await loadExperience()).ExperiencePage }) },
      { path: '/admin', lazy: async () => ({ Component: (await import('./admin/door/page.tsx')).DoorPage }) },
      {
        path: '/admin/dashboard',
        lazy: async () => ({ Component: (await import('./admin/dashboard/page.tsx')).DashboardPage }),
      },
      { path: '*', Component: NotFoundPage },
    ],
  },
];
