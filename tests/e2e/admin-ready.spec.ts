import { expectAxeClean } from './support/accessible.ts';
import { expect, laptop, test } from './support/admin.ts';
import { expectToast, failures } from './support/content.ts';

test.use(laptop);

test('one answer, each reason with its way, a trial, and a key for who watches', async ({
  page,
  adminSite,
}) => {
  const { server } = adminSite;
  await adminSite.open('/admin/pronta');
  await expect(page.getByRole('heading', { name: 'Non ancora.' })).toBeVisible();
  const missing = page.getByRole('listitem').filter({ hasText: 'Manca il video principale' });
  await expect(missing.getByRole('img', { name: 'Lo impedisce', exact: true })).toBeVisible();
  await expect(page.getByText('Non è ancora mai stato provato tutto.')).toBeVisible();
  await page.getByRole('button', { name: 'Controlla adesso' }).click();
  await expect(page.getByText(/^Provato tutto il /)).toBeVisible();

  const ask = (key: string) =>
    fetch(`${server.url}/api/admin/ready`, { headers: { authorization: `Bearer ${key}` } });
  await page.getByRole('button', { name: 'Crea la chiave' }).click();
  const key = await page.getByText(/^pronta_[\w-]{43}$/).innerText();
  await expectAxeClean(page);
  expect((await ask(key)).status).toBe(503);
  await page.getByRole('button', { name: 'Ritira la chiave' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ritira la chiave' }).click();
  await expect(page.getByText('La chiave non vale più.')).toBeVisible();
  await expect(page.getByText(key)).toHaveCount(0);
  expect((await ask(key)).status).toBe(401);

  await missing.getByRole('link', { name: 'Vai a «Video»' }).click();
  await expect(page).toHaveURL(`${server.url}/admin/video`);
});

test('what goes wrong is told', { tag: '@full' }, async ({ page, adminSite, quiet, context }) => {
  quiet.allow(/status of 50\d/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await adminSite.open('/admin/pronta');
  const calls = '**/api/admin/ready/{check,key}';
  const broken = () => page.route(calls, (route) => route.fulfill(failures.proxy));
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await broken();
  await press('Controlla adesso');
  await expectToast(page, 'Il controllo non è partito');
  await press('Crea la chiave');
  await expectToast(page, 'La chiave non è stata creata');
  await page.unroute(calls);
  await press('Crea la chiave');
  await press('Copia la chiave');
  await expectToast(page, 'Chiave copiata!');
  await broken();
  await press('Ritira la chiave');
  await page.getByRole('dialog').getByRole('button', { name: 'Ritira la chiave' }).click();
  await expectToast(page, 'La chiave non è stata ritirata');
});
