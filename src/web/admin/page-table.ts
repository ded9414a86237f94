import { type ComponentType, createContext, useContext } from 'react';
import { pageAt } from '../../texts/admin/pages.ts';
import type { TablerIcon } from '../ui/icons/icons.tsx';

/** A page of the administration. The texts have its title and its entry in the menu. */
export type AdminPage = { icon: TablerIcon; load: () => Promise<{ Page: ComponentType }> };

export type AdminPages = Readonly<Record<string, AdminPage>>;

/** The pages by address, provided by the router, so that pages and layout don't import each other. */
export const PageTable = createContext<AdminPages>({});

/** Returns the page at an address, also for the address of a section. */
export function usePageAt(address: string): AdminPage | undefined {
  return useContext(PageTable)[pageAt(address)];
}
