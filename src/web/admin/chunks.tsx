import type { ComponentType } from 'react';

/**
 * Chunks of the administration, each loaded on request. They are separate from the router: a chunk list is loaded with its
 * importer, and visitors don't need it.
 */
export const chunks = {
  provider: async () => (await import('./provider.tsx')).AdminProvider,
  signIn: async () => (await import('./sign-in/page.tsx')).SignInPage,
  unfetchedPage: async () => (await import('./layout/unfetched-page.tsx')).UnfetchedPage,
  page: async (path: string) => (await import('./load-page.ts')).loadPage(path),
  layout,
};

/** Passes the page table to the layout, which imports no page. */
async function layout(): Promise<ComponentType> {
  const [{ AdminLayout }, { ADMIN_PAGES }] = await Promise.all([
    import('./layout/layout.tsx'),
    import('./pages.ts'),
  ]);
  return () => <AdminLayout pages={ADMIN_PAGES} />;
}
