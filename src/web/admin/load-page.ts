import type { ComponentType } from 'react';
import { pageAt } from './pages.ts';

/** The component behind a path of the workshop. */
export async function loadPage(path: string): Promise<ComponentType> {
  if (path === '/admin/dashboard') return (await import('./dashboard/page.tsx')).DashboardPage;
  const row = pageAt(path);
  if (row === undefined) throw new Error(`No page of the workshop is at ${path}`);
  return (await row.load()).Page;
}
