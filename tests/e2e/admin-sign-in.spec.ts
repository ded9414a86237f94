import type { Page } from '@playwright/test';
import { call } from '../support/http.ts';
import { startServer } from '../support/server.ts';
import { expectAxeClean, expectRoomForLargeText } from './support/accessible.ts';
import {
  account,
  endAdminSessions,
  expect,
  expectNotice,
  noteNotices,
  part,
  stored,
  test,
} from './support/admin.ts';
import { probe } from './support/walk.ts';

/** Sign-in and account: first registration, return, a session that ends during work, changes of the account. */

/** Checks that the field describes its error and has the focus, and that a notice reports it too (spec 8). */
async function saidUnder(page: Page, field: string, sentence: string): Promise<void> {
  await expect(page.getByLabel(field)).toHaveAccessibleDescription(new RegExp(`^${sentence}`));
  await expectNotice(page, sentence);
  await expect(page.getByLabel(field)).toBeFocused();
}
const tapOn = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).tap();

test('registers once with the setup code, and then signs in only with the password', async ({
  page,
  browser,
}) => {
  const server = await startServer({ env: { SETUP_CODE: 'apriti-sesamo' } });
  try {
    await page.goto(`${server.url}/admin/dashboard`);
    await expect(page).toHaveURL(`${server.url}/admin`);
    await expect(page.getByRole('heading', { name: 'Primo accesso' })).toBeVisible();
    const password = page.getByLabel('Password');
    await password.fill('breve');
    await expect(page.getByText('Ne mancano 5.')).toBeVisible();
    await expectAxeClean(page);
    await expectRoomForLargeText(page, false);
    const other = await browser.newContext();
    await noteNotices(other);
    const late = await other.newPage();
    await late.goto(`${server.url}/admin`);

    await page.getByLabel('E-mail').fill('marco');
    await tapOn(page, 'Registrati');
    await saidUnder(page, 'E-mail', 'Controlla l’e-mail: manca qualcosa');
    await page.keyboard.type(account.email);
    await tapOn(page, 'Registrati');
    await saidUnder(page, 'Password', 'Password troppo debole');
    await password.fill('  una-lunga-parola-segreta ');
    await page.getByLabel('Codice di installazione').fill('sbagliato');
    await tapOn(page, 'Registrati');
    await saidUnder(page, 'Codice di installazione', 'Codice di installazione');
    await page.getByLabel('Codice di installazione').fill('apriti-sesamo');
    await tapOn(page, 'Registrati');
    await expectNotice(page, 'Registrazione completata! Accesso effettuato.');
    await expect(page).toHaveURL(`${server.url}/admin/dashboard`);

    // A second client, which had the page open already.
    await late.getByLabel('E-mail').fill('luca@example.it');
    await late.getByLabel('Password').fill('un-altra-parola-segreta');
    await late.getByLabel('Codice di installazione').fill('apriti-sesamo');
    await late.keyboard.press('Enter');
    await expectNotice(late, 'Registrazione chiusa: esiste già un amministratore.');
    await expect(late.getByRole('heading', { name: 'Area riservata' })).toBeVisible();
    await expect(late.getByText(/Registrati|Primo accesso/)).toHaveCount(0);
    await expect(late.getByLabel('E-mail')).toHaveValue('luca@example.it');
    await late.getByLabel('E-mail').fill(account.email);
    await late.getByLabel('Password').fill('non-è-questa');
    await late.keyboard.press('Enter');
    await saidUnder(late, 'Password', 'Credenziali non valide');
    // The wrong password is selected, so typing replaces it.
    await late.keyboard.type(account.password);
    await late.keyboard.press('Enter');
    await expectNotice(late, 'Accesso effettuato!');
    await expect(late).toHaveURL(`${server.url}/admin/dashboard`);
    await other.close();
    await page.close();
  } finally {
    await server.stop();
  }
});

test('signs out for good, despite slow scripts and Back', async ({ page, adminSite }) => {
  await adminSite.open('/admin/token');
  await page.getByRole('link', { name: 'Torna al pannello' }).tap();
  await expect(page.getByText(account.email)).toBeVisible();
  // Scripts load slowly, and Back is pressed before they arrive.
  const slow = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await slow.promise;
    await route.continue();
  });
  const left = page.waitForResponse((response) => response.url().endsWith('/auth/sign-out'));
  await tapOn(page, 'Esci');
  expect((await left).status()).toBe(200);
  await expect(page.getByText(account.email)).toHaveCount(0);
  await page.goBack();
  slow.resolve();
  await expect(page.getByText('Disconnesso', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${adminSite.server.url}/admin`);
  const asked = page.waitForResponse((response) => response.url().endsWith('/api/admin/me'));
  await page.goForward();
  expect((await asked).status()).toBe(401);
  await expect(page).toHaveURL(`${adminSite.server.url}/admin`);
  await expect(page.getByText(account.email)).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('asks to sign in again without leaving the page, and keeps the input', async ({ page, adminSite }) => {
  const dialog = page.getByRole('dialog', { name: 'Sessione scaduta' });
  await adminSite.open('/admin/video-button');
  const field = page.getByLabel('Testo del pulsante');
  // Both sessions end before the save is answered, and after «Salva» is pressed.
  const pressed = Promise.withResolvers<void>();
  let isSaved = false;
  await page.route('**/api/admin/config', async (route) => {
    if (route.request().method() === 'GET' || isSaved) return route.continue();
    isSaved = true;
    await pressed.promise;
    await endAdminSessions(adminSite.server);
    await route.continue();
  });
  await field.fill('Andiamo?');
  await tapOn(page, 'Salva');
  pressed.resolve();
  // One dialog for all refused requests.
  await expect(dialog).toHaveCount(1);
  await expect(dialog.getByLabel('E-mail')).toHaveValue(account.email);
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await expectAxeClean(page);
  await page.keyboard.type('sbagliata');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Credenziali non valide')).toBeVisible();
  await dialog.getByRole('button', { name: 'Annulla' }).tap();
  await expect(dialog).toHaveCount(0);
  await expect(field).toHaveValue('Andiamo?');

  await tapOn(page, 'Salva');
  await dialog.getByLabel('Password').fill(account.password);
  await dialog.getByRole('button', { name: 'Accedi' }).tap();
  await expectNotice(page, 'Testo del pulsante salvato!');
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await expect(field).toHaveValue('Andiamo?');
});

test('changes password and e-mail, and signs out other devices', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  const { server } = adminSite;
  const newPassword = 'merlo-indiano-9313';
  await adminSite.open('/admin/accesso');
  const devices = part(page, 'Dispositivi collegati');
  // The page's session, and the session of the test's calls.
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByRole('listitem').filter({ hasText: 'Questo' })).toHaveCount(1);
  await devices.getByRole('button', { name: 'Scollega gli altri dispositivi' }).tap();
  await devices.getByLabel('Password attuale').fill(account.password);
  const place = () => probe<number>(page, 'scrollY');
  const before = await place();
  expect(before).toBeGreaterThan(0);
  await page.keyboard.press('Enter');
  await expectNotice(page, 'Gli altri dispositivi sono stati scollegati');
  await expect(devices.getByText('Non ci sono altri dispositivi collegati.')).toBeVisible();
  expect(await place()).toBe(before);
  await expect(stored(adminSite)).rejects.toThrow('401');

  const password = part(page, 'Password');
  await password.getByLabel('Nuova password').fill(newPassword);
  await password.getByLabel('Password attuale').fill(account.password);
  await password.getByRole('button', { name: 'Cambia la password' }).tap();
  await expectNotice(page, 'Password cambiata');
  const email = part(page, 'E-mail');
  await email.getByLabel('Nuova e-mail').fill('anna@example.it');
  await email.getByLabel('Password attuale').fill(newPassword);
  await email.getByRole('button', { name: 'Cambia l’e-mail' }).tap();
  await expectNotice(page, 'E-mail cambiata');
  await expect(email.getByText('Adesso accedi con anna@example.it.')).toBeVisible();
  const signIn = (body: object) => call(server.url, 'POST', '/auth/sign-in/email', body);
  expect((await signIn(account)).status).toBe(401);
  expect((await signIn({ email: 'anna@example.it', password: newPassword })).status).toBe(200);
});
