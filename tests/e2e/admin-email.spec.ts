import type { Page } from '@playwright/test';
import { type MailServer, mailServer } from '../support/mail-server.ts';
import { test as base, expect, laptop } from './support/admin.ts';
import { elsewhere, expectToast, stored } from './support/content.ts';

/** The mail server's settings on `/admin/notifiche`. */

const SETTINGS = '/admin/notifiche';
const PASSWORD = 'canarino-Segretissimo+42';

const test = base.extend<{ mail: MailServer }>({
  mail: async ({}, use) => {
    const mail = await mailServer('none');
    await use(mail);
    await mail.close();
  },
});
test.use(laptop);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a mail server is set up beside Telegram; a test e-mail tells the server’s own answer', async ({
  page,
  adminSite,
  mail,
}) => {
  await adminSite.open(SETTINGS);
  const server = region(page, 'E-mail');
  const tested = region(page, 'Messaggio di prova');
  const send = tested.getByRole('button', { name: 'Invia una e-mail di prova' });
  await expect(send).toBeDisabled();
  await server.getByLabel('Server di posta').fill('https://smtp.esempio.it');
  await press(page, 'Salva');
  await expect(page.getByText(/^Il server è un nome come smtp\.esempio\.it/).first()).toBeVisible();
  await server.getByLabel('Server di posta').fill('smtp.esempio.it');
  await server.getByLabel('Cifratura').selectOption('none');
  await expect(server.getByText(/^Senza cifratura chiunque stia in mezzo/)).toBeVisible();
  await server.getByLabel('Server di posta').fill('127.0.0.1');
  await expect(server.getByText(/^Senza cifratura chiunque/)).toHaveCount(0);
  await server.getByLabel('Porta').fill(String(mail.port));
  await server.getByLabel('Mittente').fill('lui@posta.example');
  await server.getByLabel('Destinatario').fill('lui');
  await press(page, 'Salva');
  await expect(page.getByText(/^Il destinatario è un indirizzo e-mail/).first()).toBeVisible();
  await server.getByLabel('Destinatario').fill('lui@posta.example');
  await press(page, 'Salva');
  await expectToast(page, 'Impostazioni salvate!');

  await send.click();
  await expect(tested.getByText('E-mail inviata: guarda la posta, anche lo spam.')).toBeVisible();
  await expect(tested.getByText(/^250 /)).toBeVisible();
  expect(mail.letters).toHaveLength(1);
  mail.fail({ at: 'rcpt', code: 550, text: '5.1.1 No such user' });
  await send.click();
  await expect(tested.getByText('Il server di posta non l’ha accettata.')).toBeVisible();
  await expect(tested.getByText('550 5.1.1 No such user')).toBeVisible();
  await expect(tested.getByText(/^Il server di posta rifiuta il mittente o il destinatario/)).toBeVisible();
});

test('the password goes one way: saved, replaced, removed, and never over another window’s', {
  tag: '@long',
}, async ({ page, adminSite, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  await page.route('**/api/admin/events', (route) => route.abort());
  await adminSite.open(SETTINGS);
  const field = page.getByRole('textbox', { name: 'Password' });
  await field.fill(PASSWORD);
  await elsewhere(adminSite, { smtp_password: 'di un’altra finestra' } as object);
  await press(page, 'Salva password');
  await expectToast(
    page,
    'Intanto la password è stata cambiata in un’altra finestra: controlla qual è quella giusta e salva di nuovo.',
  );
  await press(page, 'Sostituisci');
  await field.fill(PASSWORD);
  await press(page, 'Salva password');
  await expectToast(page, 'Password della posta salvata!');
  await expect(page.getByText('••••••••')).toBeVisible();
  expect(await stored(adminSite)).toMatchObject({ smtp_password_kept: true });
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  for (const text of [await page.content(), kept, adminSite.server.logged()])
    expect(text).not.toContain(PASSWORD);

  await press(page, 'Rimuovi');
  const question = page.getByRole('dialog').filter({ hasText: 'Rimuovere la password della posta?' });
  await question.getByRole('button', { name: 'Rimuovi' }).click();
  await expectToast(page, 'Password della posta rimossa');
  await expect(field).toBeVisible();
  expect(await stored(adminSite)).toMatchObject({ smtp_password_kept: false });
});
