import type { Page } from '@playwright/test';
import { expectAxeClean, expectFingerSized, expectNoSidewaysScroll } from './support/accessible.ts';
import { expect, test } from './support/admin.ts';
import { failures } from './support/content.ts';

/** Where the browser keeps its clipboard shut. */
const byHand = (page: Page) => page.getByRole('textbox', { name: 'Copia a mano' });

/** «Portala in rete»: from the dashboard's notice to a look at the address from outside. */

test('what opens only here is told, and leads to the ways out, one at a time', async ({
  page,
  adminSite,
}) => {
  await adminSite.open('/admin/dashboard');
  const notice = page.getByRole('note').filter({ hasText: 'Per ora la vedi solo da questo computer' });
  await notice.getByRole('link', { name: 'Portala in rete' }).tap();
  const ways = page.getByRole('navigation', { name: 'Scegli una strada' });
  await expect(ways.getByRole('link')).toHaveCount(4);
  await ways.getByRole('link', { name: /^Un piccolo server/ }).tap();
  await expect(page.getByRole('heading', { name: 'Un piccolo server con un nome' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Un tunnel che hai già' })).toHaveCount(0);

  const name = page.getByLabel('Il nome del sito');
  await name.fill('non un nome');
  await expect(page.getByText('Un nome è fatto così')).toBeVisible();
  await expect(page.getByText('ssh root@IL-TUO-NOME')).toBeVisible();
  await name.fill('sera.example');
  await expect(page.getByText('ssh root@sera.example')).toBeVisible();
  await expect(page.getByLabel('Indirizzo da provare')).toHaveValue('https://sera.example');
  await page.getByRole('button', { name: 'Copia il comando' }).first().tap();
  await expect(page.getByText('Comando copiato!').or(byHand(page))).toBeVisible();
});

test('an address is looked at from outside, and what is found is told', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  await adminSite.open('/admin/rete?strada=tunnel');
  const check = page.getByRole('region', { name: 'Prova l’indirizzo' });
  await check.getByRole('button', { name: 'Controlla' }).tap();
  await expect(check.getByText('Scrivi un indirizzo come https://sorpresa.example')).toBeVisible();
  await check.getByLabel('Indirizzo da provare').fill(adminSite.server.url);
  await check.getByRole('button', { name: 'Controlla' }).tap();
  const found = check.getByRole('status').getByRole('listitem');
  await expect(found).toHaveText([
    'Risponde proprio questa sorpresa.',
    'Però si apre solo da questo computer.',
    /^È senza https/,
  ]);
  await expect(check.getByRole('button', { name: 'Controlla di nuovo' })).toBeVisible();
  quiet.allow(/status of 502/);
  await page.route('**/api/admin/address/check', (route) => route.fulfill(failures.proxy));
  await check.getByRole('button', { name: 'Controlla di nuovo' }).tap();
  await expect(page.getByText('Errore durante il controllo')).toBeVisible();
  await expectAxeClean(page);
  await expectFingerSized(page);
  await expectNoSidewaysScroll(page);
});

test('for the same Wi-Fi it is said how it has to be started, and what doesn’t work', {
  tag: '@long',
}, async ({ page, adminSite }) => {
  // The tests' servers listen for this machine alone.
  await adminSite.open('/admin/rete?strada=wifi');
  await expect(page.getByText(/^HOST=0\.0\.0\.0 .*npm start$/)).toBeVisible();
  await expect(page.getByText('Lo schermo può spegnersi mentre si leggono le frasi')).toBeVisible();
  await page.route('**/api/admin/address', async (route) => {
    const site = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...site, open_to_network: true, hosts: ['192.168.1.7', '172.17.0.1'] } });
  });
  await page.reload();
  const { port } = new URL(adminSite.server.url);
  const address = `http://192.168.1.7:${port}`;
  await expect(page.getByRole('img', { name: `Codice QR di ${address}` })).toBeVisible();
  await expect(page.getByText(`http://172.17.0.1:${port}`)).toBeVisible();
  await page.getByRole('button', { name: 'Copia l’indirizzo' }).tap();
  await expect(page.getByText('Indirizzo copiato!').or(byHand(page))).toBeVisible();
});
