import type { TablerIcon } from '@tabler/icons-react';
import { type ComponentType, createContext, useContext } from 'react';
import { type AdminPath, type adminGroups, pageAt } from '../../texts/admin/pages.ts';

export type GroupId = keyof typeof adminGroups;

/** A page of the administration, used by the router, the navigation and the dashboard. */
export type AdminPage = {
  path: AdminPath;
  title: string;
  description: string;
  icon: TablerIcon;
  group: GroupId;
  load: () => Promise<{ Page: ComponentType }>;
};

export type AdminGroup = { id: GroupId; title: string; pages: readonly AdminPage[] };

/** The pages in their groups, provided by the router, so that pages and layout don't import each other. */
export const PageTable = createContext<readonly AdminGroup[]>([]);

/** Returns the page at an address, also for the address of a section; undefined if there is none. */
export function rowAt(pages: readonly AdminPage[], path: string): AdminPage | undefined {
  return pages.find((row) => row.path === pageAt(path));
}

/** Returns the page at an address, from the provided table. */
export function usePageAt(path: string): AdminPage | undefined {
  return rowAt(
    useContext(PageTable).flatMap(({ pages }) => pages),
    path,
  );
}
