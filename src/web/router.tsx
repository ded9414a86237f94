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
    // Until a page's chunk is there the document's background is all there is to see.
    HydrateFallback: () => null,
    children: [
      { path: '/', Component: AccessPage },
      {
        path: '/prova',
        lazy: async () => ({ Component: (await import('./visitor/rehearsal/page.tsx')).RehearsalPage }),
      },
      {
        path: '/diagnostica',
        lazy: async () => ({ Component: (await import('./diagnosis/page.tsx')).DiagnosisPage }),
      },
      { path: '/experience', lazy: async () => ({ Component: (await loadExperience()).ExperiencePage }) },
      {
        lazy: async () => ({ Component: (await import('./admin/provider.tsx')).AdminProvider }),
        children: [
          {
            path: '/admin',
            lazy: async () => ({ Component: (await import('./admin/sign-in/page.tsx')).SignInPage }),
          },
          {
            lazy: loadAdminLayout,
            children: [
              {
                // A page that can't be fetched says so in its place: the frame and the uploads go on.
                lazy: async () => ({
                  ErrorBoundary: (await import('./admin/layout/unfetched-page.tsx')).UnfetchedPage,
                }),
                children: PAGES.filter((path) => path.startsWith('/admin/')).map(adminRoute),
              },
            ],
          },
        ],
      },
      { path: '*', Component: NotFoundPage },
    ],
  },
];

function adminRoute(path: string): RouteObject {
  return {
    path,
    lazy: async () => ({ Component: await (await import('./admin/load-page.ts')).loadPage(path) }),
  };
}

/** What stands around the administrator's pages is given their table: it imports none of them. */
async function loadAdminLayout() {
  const [{ AdminLayout }, { ADMIN_GROUPS }] = await Promise.all([
    import('./admin/layout/layout.tsx'),
    import('./admin/pages.ts'),
  ]);
  return { Component: () => <AdminLayout groups={ADMIN_GROUPS} /> };
}
