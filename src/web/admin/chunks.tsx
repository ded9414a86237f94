import type { ComponentType } from 'react';

/**
 * The chunks of the administration, each fetched when it is asked for. They stand apart from the router: the list of what they are made of
 * goes with whoever imports them, and a visitor has no use for it.
 */
export const chunks = {
  provider: async () => (await import('./provider.tsx')).AdminProvider,
  signIn: async () => (await import('./sign-in/page.tsx')).SignInPage,
  unfetchedPage: async () => (await import('./layout/unfetched-page.tsx')).UnfetchedPage,
  page: async (path: string) => (await import('./load-page.ts')).loadPage(path),
  layout,
};

/** What stands around the administrator's pages is given their table: it imports none of them. */
async function layout(): Promise<ComponentType> {
  const [{ AdminLayout }, { ADMIN_GROUPS }] = await Promise.all([
    import('./layout/layout.tsx'),
    import('./pages.ts'),
  ]);
  return () => <AdminLayout groups={ADMIN_GROUPS} />;
}
