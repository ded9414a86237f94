import type { Page } from '@playwright/test';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { expect, laptop, test } from './support/admin.ts';
import { broken } from './support/admin-media.ts';

test.use(laptop);

test('what is deleted can be taken back at once, or later from the bin, which is emptied after a question', async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/status of 500|Non è stato possibile/);
  const button = (name: string) => page.getByRole('button', { name });
  const remove = async () => {
    await button('Elimina: Giulia').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click();
    await expect(page.getByText('Token eliminato')).toBeVisible();
  };
  await adminSite.admin.call('POST', '/admin/tokens', { nome: 'Giulia' });
  await adminSite.open('/admin/token');
  await remove();
  await page.getByRole('button', { name: 'Annulla', exact: true }).click();
  await expect(page.getByText('Rimesso dov’era', { exact: true })).toBeVisible();
  await remove();

  await adminSite.open('/admin/cestino');
  const item = page.getByRole('article');
  await expect(item).toContainText('Giulia');
  await expect(item).toContainText(/Codice · ROM-\w{8} · fino al \d/);
  await expectAxeClean(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  const line = await failing(page);
  await button('Rimetti dov’era: Giulia').click();
  await expect(page.getByText('Non è stato possibile rimetterlo. Riprova dal cestino.')).toBeVisible();
  await button('Svuota il cestino').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Svuota il cestino' }).click();
  await expect(page.getByText('Non è stato possibile svuotarlo')).toBeVisible();
  await line.mend();
  await button('Rimetti dov’era: Giulia').click();
  await expect(page.getByText('Il cestino è vuoto')).toBeVisible();
  await adminSite.open('/admin/token');
  await remove();

  await adminSite.open('/admin/cestino');
  await button('Svuota il cestino').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Annulla' }).click();
  await expect(item).toBeVisible();
  await button('Svuota il cestino').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Svuota il cestino' }).click();
  await expect(page.getByText('Il cestino è vuoto')).toBeVisible();
});

/** Whatever is asked of the bin is answered by something that isn't our server, until it is mended. */
async function failing(page: Page): Promise<{ mend(): Promise<void> }> {
  const calls = /\/api\/admin\/bin(\/[^/]+\/restore)?$/;
  await page.route(calls, (route) => (route.request().method() === 'GET' ? route.fallback() : broken(route)));
  return { mend: () => page.unroute(calls) };
}
