import { expectAxeClean } from './support/accessible.ts';
import { account, endAdminSessions, expect, expectNotice, test } from './support/admin.ts';

/** A session that ends during work, and one that the administrator ends. */

test('asks to sign in again without leaving the page, and signs out despite slow scripts and Back', async ({
  page,
  adminSite,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Sessione scaduta' });
  await adminSite.open('/admin/video-button');
  const field = page.getByLabel('Testo del pulsante');
  // The sessions end before the save is answered: typing later would take the focus from the dialog.
  let hasEnded = false;
  await page.route('**/api/admin/config', async (route) => {
    if (route.request().method() !== 'GET' && !hasEnded) {
      hasEnded = true;
      await endAdminSessions(adminSite.server);
    }
    await route.continue();
  });
  await field.fill('Andiamo?');
  // One dialog for all refused requests.
  await expect(dialog).toHaveCount(1);
  await expect(dialog.getByLabel('E-mail')).toHaveValue(account.email);
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await expectAxeClean(page);
  await page.keyboard.type(account.password);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Salvato', exact: true })).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue('Andiamo?');

  await page.getByRole('link', { name: 'Torna al pannello' }).tap();
  await expect(page.getByText(account.email)).toBeVisible();
  // Scripts load slowly, and Back is pressed before they arrive.
  const slow = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await slow.promise;
    await route.continue();
  });
  const left = page.waitForResponse((response) => response.url().endsWith('/auth/sign-out'));
  await page.getByRole('button', { name: 'Esci', exact: true }).tap();
  expect((await left).status()).toBe(200);
  await expect(page.getByText(account.email)).toHaveCount(0);
  await page.goBack();
  slow.resolve();
  await expectNotice(page, 'Disconnesso');
  await expect(page).toHaveURL(`${adminSite.server.url}/admin`);
  const asked = page.waitForResponse((response) => response.url().endsWith('/api/admin/me'));
  await page.goForward();
  expect((await asked).status()).toBe(401);
  await expect(page).toHaveURL(`${adminSite.server.url}/admin`);
  await expect(page.getByText(account.email)).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
