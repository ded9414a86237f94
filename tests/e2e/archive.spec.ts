import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { newFolder, startServer } from '../support/server.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { account, adminPage, expect, signInAdmin, test } from './support/admin.ts';
import { openPrepared } from './support/prepared-folders.ts';
import { closePages, holdClock, inTime, submit } from './support/stage.ts';
import { twoTrips, words } from './support/surprises.ts';
import { sees } from './support/walk.ts';

/** The copy: downloaded from one install, taken back by a new one, and the evening is there. */

const PASSPHRASE = 'una frase tutta nostra';

test.use({ viewport: { width: 390, height: 844 } });

/** The next call there is answered by a proxy that has lost its server. */
async function brokenOnce(page: Page, address: string): Promise<void> {
  let broken = false;
  await page.route(address, async (route) => {
    if (broken || route.request().method() !== 'POST') return route.fallback();
    broken = true;
    return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
  });
}

test('a copy is downloaded, an empty install takes it back, and the evening is there', async ({
  page,
  quiet,
}) => {
  const told = (text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text }).first();
  quiet.allow(/status of 502/);
  await page.clock.install();
  const folder = await newFolder();
  const { server, admin } = await openPrepared(twoTrips);
  const target = await startServer();
  try {
    await signInAdmin(page, server);
    const { token } = await admin.call<{ token: string }>('POST', '/admin/tokens', { nome: 'Giulia' });
    await adminPage(page, server, '/admin/copia');
    await expect(page.getByRole('heading', { name: 'Copia di sicurezza' })).toBeVisible();
    await expect(page.getByText('Non ne hai ancora scaricata nessuna.')).toBeVisible();
    await expectAxeClean(page);
    await expectNoSidewaysScroll(page);
    const first = page.getByLabel('Frase segreta', { exact: true });
    const second = page.getByLabel('La stessa, un’altra volta');
    await first.fill('breve');
    await page.keyboard.press('Enter');
    await expect(first).toHaveAccessibleDescription(/^Frase segreta troppo corta: usa almeno 12 caratteri\./);
    await expect(first).toBeFocused();
    await first.fill(PASSPHRASE);
    await second.fill('un’altra frase, lunga');
    await page.keyboard.press('Enter');
    await expect(second).toHaveAccessibleDescription('Le due frasi segrete non sono uguali.');
    await second.fill(PASSPHRASE);
    await brokenOnce(page, '**/api/admin/archive');
    await page.keyboard.press('Enter');
    await expect(told('Non è stato possibile fare la copia')).toBeVisible();
    // Notices are gone soon, and a busy machine may look late.
    await holdClock(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^sorpresa-[\d-]+\.zip\.age$/);
    await inTime(page, told('Il download è cominciato'), 0.1);
    await inTime(page, told('La copia è partita tutta'), 0.1);
    await page.clock.resume();
    await expect(page.getByText(/^L’ultima è stata scaricata per intero/)).toBeVisible();
    await expect(first).toHaveValue('');
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);

    await page.goto(`${target.url}/admin`);
    await page.getByRole('button', { name: 'Hai una copia di sicurezza?' }).tap();
    await expect(page.getByRole('heading', { name: 'Ripristina da una copia' })).toBeVisible();
    await expectAxeClean(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Ripristina', exact: true }).tap();
    await expect(told('Scegli il file della copia')).toBeVisible();
    const choose = async (path: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByLabel('Il file della copia').tap(),
      ]);
      await chooser.setFiles(path);
    };
    const foreign = join(folder, 'lettera.txt');
    await writeFile(foreign, 'Cara Giulia');
    await choose(foreign);
    await page.getByRole('button', { name: 'Ripristina', exact: true }).tap();
    await expect(told('Questo file non è una copia di sicurezza di una sorpresa.')).toBeVisible();
    await choose(file);
    const passphrase = page.getByLabel('Frase segreta della copia');
    await passphrase.fill('un’altra frase, lunga');
    await page.keyboard.press('Enter');
    await expect(passphrase).toHaveAccessibleDescription(
      /^La copia non si apre con questa frase segreta\. Controllala e riprova\./,
    );
    await expect(passphrase).toBeFocused();
    await passphrase.fill(PASSPHRASE);
    await brokenOnce(page, '**/api/admin/restore/*');
    await page.keyboard.press('Enter');
    await expect(told('Il ripristino non è riuscito. Qui non è cambiato niente: riprova.')).toBeVisible();
    await page.getByRole('button', { name: 'Ripristina', exact: true }).tap();
    await expect(told('Tutto è tornato com’era. Accedi con l’e-mail e la password di allora.')).toBeVisible();

    await expect(page.getByRole('button', { name: 'Hai una copia di sicurezza?' })).toBeHidden();
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${target.url}/admin/dashboard`);
    await page.goto(`${target.url}/admin/token`);
    await expect(page.getByText(token).first()).toBeVisible();
    await page.goto(target.url);
    await submit(page, token);
    await sees(page, words.pre[0]);
  } finally {
    await closePages(page);
    await server.stop();
    await target.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
