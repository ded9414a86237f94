import type { TablerIcon } from '@tabler/icons-react';
import { type ComponentType, createContext, useContext } from 'react';
import { type AdminPath, type adminGroups, pageAt } from '../../texts/admin/pages.ts';

export type GroupId = keyof typeof adminGroups;

/** One page of the administration: the router, the navigation and the dashboard's cards read it. */
export type AdminPage = {
  path: AdminPath;
  title: string;
  description: string;
  icon: TablerIcon;
  group: GroupId;
  load: () => Promise<{ Page: ComponentType }>;
};

export type AdminGroup = { id: GroupId; title: string; pages: readonly AdminPage[] };

/** The pages in their groups. The router hands them in: what stands on a page, or around it, knows no other. */
export const PageTable = createContext<readonly AdminGroup[]>([]);

/** The row of an address, also of one that leads to a part of a page; undefined where there is none. */
export function rowAt(pages: readonly AdminPage[], path: string): AdminPage | undefined {
  return pages.find((row) => row.path === pageAt(path));
}

/** The same among the pages that were handed in. */
export function usePageAt(path: string): AdminPage | undefined {
  return rowAt(
    useContext(PageTable).flatMap(({ pages }) => pages),
    path,
  );
}
