import { expectAxeClean } from './support/accessible.ts';
import { expect, laptop, test } from './support/admin.ts';
import { expectToast, failures } from './support/content.ts';

test.use(laptop);

test('one answer, each reason with its way, and a trial', async ({ page, adminSite }) => {
  const { server } = adminSite;
  await adminSite.open('/admin/pronta');
  await expect(page.getByRole('heading', { name: 'Non ancora.' })).toBeVisible();
  const missing = page.getByRole('listitem').filter({ hasText: 'Manca il video principale' });
  await expect(missing.getByRole('img', { name: 'Lo impedisce', exact: true })).toBeVisible();
  await expect(page.getByText('Non è ancora mai stato provato tutto.')).toBeVisible();
  await page.getByRole('button', { name: 'Controlla adesso' }).click();
  await expect(page.getByText(/^Provato tutto il /)).toBeVisible();
  await expectAxeClean(page);

  await missing.getByRole('link', { name: 'Vai a «Video»' }).click();
  await expect(page).toHaveURL(`${server.url}/admin/video`);
});

test('what goes wrong is told', { tag: '@long' }, async ({ page, adminSite, quiet }) => {
  quiet.allow(/status of 50\d/);
  await adminSite.open('/admin/pronta');
  await page.route('**/api/admin/ready/check', (route) => route.fulfill(failures.proxy));
  await page.getByRole('button', { name: 'Controlla adesso', exact: true }).click();
  await expectToast(page, 'Il controllo non è partito');
});
