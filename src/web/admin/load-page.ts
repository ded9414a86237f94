import type { ComponentType } from 'react';
import { pageAt } from '../../texts/admin/pages.ts';
import { networkTexts } from '../../texts/dates.ts';
import { ApiError } from '../api/failure.ts';
import type { AdminPages } from './page-table.ts';
import { ADMIN_PAGES } from './pages.ts';

/** Loads the component of an administration path. @throws {ApiError} if its code can't be fetched */
export async function loadPage(path: string): Promise<ComponentType> {
  const pages: AdminPages = ADMIN_PAGES;
  const page = pages[pageAt(path)];
  if (page === undefined) throw new Error(`No page of the administration is at ${path}`);
  return (await fetchChunk(page.load)).Page;
}

let failed = false;

async function fetchChunk<T>(load: () => Promise<T>): Promise<T> {
  if (failed) reloadStyles();
  failed = false;
  try {
    return await load();
  } catch (error) {
    failed = true;
    console.warn(error);
    throw new ApiError('NETWORK', networkTexts.offline);
  }
}

/** Requests failed stylesheets again. Browsers don't, and the page would appear unstyled. */
function reloadStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!isLoaded(link)) link.replaceWith(link.cloneNode());
}

/** Returns true if the stylesheet is loaded. After a failure, some browsers have no sheet, others an unreadable one. */
function isLoaded({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}
