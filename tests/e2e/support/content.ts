import type { FrameLocator, Locator, Page } from '@playwright/test';
import type { Configuration } from '../../../src/domain/configuration.ts';
import { type AdminSite, expect } from './admin.ts';

/** The configuration as the server has it. */
export function stored({ admin }: AdminSite): Promise<Configuration & { versione: number }> {
  return admin.call('GET', '/admin/config');
}

/** Saves fields from another window. */
export async function elsewhere(adminSite: AdminSite, fields: Partial<Configuration>): Promise<void> {
  const { versione } = await stored(adminSite);
  await adminSite.admin.call('PATCH', '/admin/config', { versione, fields });
}

/** The inside of the phone beside the fields. */
export function phone(page: Page): FrameLocator {
  return page.locator('iframe[data-ready=true]').contentFrame();
}

export async function expectToast(page: Page, text: string, description?: string): Promise<void> {
  const toast = page.locator('[data-sonner-toast]').filter({ hasText: text });
  await expect(toast.locator('[data-title]').getByText(text, { exact: true }).first()).toBeVisible();
  if (description !== undefined)
    await expect(
      toast.locator('[data-description]').getByText(description, { exact: true }).first(),
    ).toBeVisible();
}

/** How a call of the page fails. */
export const failures = {
  /** Not our server's: a proxy's page. */
  proxy: { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' },
  refused: (status: number, codice: string, messaggio: string) => ({
    status,
    contentType: 'application/json',
    body: JSON.stringify({ codice, messaggio }),
  }),
};

/** Lets the configuration's calls with this method fail, until the returned function is called. */
export async function failing(
  page: Page,
  method: 'GET' | 'PATCH',
  reply: { status: number; contentType: string; body: string } | 'offline',
): Promise<() => Promise<void>> {
  const path = '**/api/admin/config';
  await page.route(path, (route) => {
    if (route.request().method() !== method) return route.fallback();
    return reply === 'offline' ? route.abort() : route.fulfill(reply);
  });
  return () => page.unroute(path);
}

/** A part of a page that has several. */
export const place = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Presses «Salva»: the page's, or that of a part of it. */
export async function save(where: Page | Locator): Promise<void> {
  await where.getByRole('button', { name: 'Salva', exact: true }).click();
}
