import { startServer } from '../support/server.ts';
import { expect, test } from './support/stage.ts';

/** The administrator's door: the first may register, everybody after signs in. */

test('register, leave, sign in, and nobody registers after', async ({ page, quiet }) => {
  quiet.allow(/Failed to load resource/);
  const server = await startServer();
  try {
    await page.goto(`${server.url}/admin`);
    // Nobody has registered: that is what one is here for.
    await page.getByRole('button', { name: 'Hai già un account? Accedi' }).tap();
    await page.getByRole('button', { name: 'Primo accesso? Registrati' }).tap();
    await page.getByLabel('E-mail').fill(' marco@example.it ');
    await page.getByLabel('Password').fill('corta');
    await page.getByRole('button', { name: 'Registrati', exact: true }).tap();
    await expect(page.getByText(/^Password troppo debole/).first()).toBeVisible();
    await page.getByLabel('Password').fill('password2026');
    await page.getByRole('button', { name: 'Registrati', exact: true }).tap();
    await expect(page.getByText(/^Password troppo comune/).first()).toBeVisible();
    await page.getByLabel('Password').fill('  una-lunga-parola-segreta ');
    await page.getByRole('button', { name: 'Registrati', exact: true }).tap();
    await expect(page.getByText('Registrazione completata! Accesso effettuato.')).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/admin/dashboard`);
    await expect(page.getByText('marco@example.it')).toBeVisible();

    await page.getByRole('button', { name: 'Esci' }).tap();
    await expect(page.getByText('Disconnesso', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/admin`);
    await expect(page.getByRole('heading', { name: 'Area riservata' })).toBeVisible();
    await expect(page.getByText('Primo accesso? Registrati')).toHaveCount(0);

    await page.getByLabel('E-mail').fill('marco@example.it');
    await page.getByLabel('Password').fill('sbagliata-davvero');
    await page.getByRole('button', { name: 'Accedi', exact: true }).tap();
    await expect(page.getByText('Credenziali non valide').first()).toBeVisible();
    await page.getByLabel('Password').fill('una-lunga-parola-segreta');
    await page.getByRole('button', { name: 'Accedi', exact: true }).tap();
    await expect(page.getByText('Accesso effettuato!')).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/admin/dashboard`);
  } finally {
    await server.stop();
  }
});

test('the dashboard is for who has signed in', async ({ page, quiet }) => {
  quiet.allow(/Failed to load resource/);
  const server = await startServer();
  try {
    await page.goto(`${server.url}/admin/dashboard`);
    await expect(page).toHaveURL(`${server.url}/admin`);
  } finally {
    await server.stop();
  }
});
