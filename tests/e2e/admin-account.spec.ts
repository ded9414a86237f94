import type { Page } from '@playwright/test';
import { call } from '../support/http.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { account, expect, test } from './support/admin.ts';

/** «Il tuo accesso»: the administrator's own password, e-mail and devices, and what the log says of them. */

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const told = (page: Page, text: string) =>
  expect(page.locator('[data-sonner-toast]').filter({ hasText: text }).first()).toBeVisible();

test('the password, the e-mail and the devices, each for who knows the password', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  const { server } = adminSite;
  const newPassword = 'merlo-indiano-9313';
  await adminSite.open('/admin/accesso');
  const devices = card(page, 'Dispositivi collegati');
  // The page's own, and the hands beside it.
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByRole('listitem').filter({ hasText: 'Questo' })).toHaveCount(1);
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);

  await devices.getByRole('button', { name: 'Scollega gli altri dispositivi' }).tap();
  await expect(devices.getByLabel('Password attuale')).toHaveAccessibleDescription(
    'Scrivi la password attuale.',
  );
  await devices.getByLabel('Password attuale').fill('non-è-questa');
  await page.keyboard.press('Enter');
  await expect(devices.getByLabel('Password attuale')).toHaveAccessibleDescription(
    'Non è la password attuale.',
  );
  await expect(devices.getByLabel('Password attuale')).toBeFocused();
  await devices.getByLabel('Password attuale').fill(account.password);
  await page.keyboard.press('Enter');
  await told(page, 'Gli altri dispositivi sono stati scollegati');
  await expect(devices.getByText('Non ci sono altri dispositivi collegati.')).toBeVisible();

  const password = card(page, 'Password');
  await password.getByLabel('Nuova password').fill('corta');
  await password.getByLabel('Password attuale').fill(account.password);
  await password.getByRole('button', { name: 'Cambia la password' }).tap();
  await expect(password.getByLabel('Nuova password')).toHaveAccessibleDescription(/^Password troppo debole/);
  await password.getByLabel('Nuova password').fill(newPassword);
  await password.getByRole('button', { name: 'Cambia la password' }).tap();
  await told(page, 'Password cambiata');
  await expect(password.getByLabel('Nuova password')).toHaveValue('');

  const email = card(page, 'E-mail');
  await expect(email.getByText(`Adesso accedi con ${account.email}.`)).toBeVisible();
  await email.getByLabel('Nuova e-mail').fill('anna');
  await email.getByLabel('Password attuale').fill(newPassword);
  await email.getByRole('button', { name: 'Cambia l’e-mail' }).tap();
  await expect(email.getByLabel('Nuova e-mail')).toHaveAccessibleDescription(/^Controlla l’e-mail/);
  await email.getByLabel('Nuova e-mail').fill('anna@example.it');
  await email.getByRole('button', { name: 'Cambia l’e-mail' }).tap();
  await told(page, 'E-mail cambiata');
  await expect(email.getByText('Adesso accedi con anna@example.it.')).toBeVisible();

  const signIn = (body: object) => call(server.url, 'POST', '/auth/sign-in/email', body);
  expect((await signIn(account)).status).toBe(401);
  expect((await signIn({ email: 'anna@example.it', password: newPassword })).status).toBe(200);
  await page.reload();
  await expect(card(page, 'Dispositivi collegati').getByRole('listitem')).toHaveCount(2);
});

test('the log shows what happened to the access, and can be asked for it alone', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  const { server, admin } = adminSite;
  await admin.call('POST', '/admin/tokens', { nome: 'Giulia' });
  await adminSite.open('/admin/logs');
  await page.getByRole('combobox', { name: 'Tipo di evento' }).selectOption('Area riservata');
  const entries = page.getByRole('list', { name: 'Eventi, dal più recente' }).getByRole('listitem');
  await expect(entries).toHaveCount(2);
  await call(server.url, 'POST', '/auth/sign-in/email', { ...account, password: 'non-è-questa' });
  await expect(entries).toHaveCount(3);
  await expect(entries.first()).toContainText('Accesso all’area riservata fallito');
  await expect(entries.first()).toContainText(
    'Qualcuno ha provato a entrare nell’area riservata senza riuscirci.',
  );
  await adminSite.open('/admin/dashboard');
  await expect(page.getByText('Qualcuno ha provato a entrare nell’area riservata')).toBeVisible();
  await expect(page.getByText('Qualcuno è entrato nell’area riservata')).toHaveCount(0);
});
