import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder, startServer } from '../support/server.ts';
import { account, adminPage, expect, expectNotice, signInAdmin, test } from './support/admin.ts';
import { choose } from './support/admin-media.ts';
import { openPrepared } from './support/prepared-folders.ts';
import { closePages, submit } from './support/stage.ts';
import { twoTrips, words } from './support/surprises.ts';
import { expectPhrase } from './support/walk.ts';

const PASSPHRASE = 'una frase tutta nostra';

test('restores a downloaded backup on an empty install with its passphrase', async ({ page }) => {
  test.slow();
  const folder = await newFolder();
  const { server, admin } = await openPrepared(twoTrips);
  const target = await startServer();
  try {
    await signInAdmin(page, server);
    const { token } = await admin.call<{ token: string }>('POST', '/admin/tokens', { nome: 'Giulia' });
    await adminPage(page, server, '/admin/copia');
    await page.getByLabel('Frase segreta', { exact: true }).fill(PASSPHRASE);
    await page.getByLabel('La stessa, un’altra volta').fill(PASSPHRASE);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^sorpresa-[\d-]+\.zip\.age$/);
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);

    await page.goto(`${target.url}/admin`);
    await page.getByRole('button', { name: 'Hai una copia di sicurezza?' }).tap();
    await choose(page, 'Il file della copia', file);
    const passphrase = page.getByLabel('Frase segreta della copia');
    await passphrase.fill('un’altra frase, lunga');
    await page.keyboard.press('Enter');
    await expect(passphrase).toHaveAccessibleDescription(/^La copia non si apre con questa frase segreta\./);
    await expect(passphrase).toBeFocused();
    await passphrase.fill(PASSPHRASE);
    await page.keyboard.press('Enter');
    await expectNotice(page, 'Tutto è tornato com’era. Accedi con l’e-mail e la password di allora.');
    await page.getByLabel('E-mail').fill(account.email);
    await page.getByLabel('Password', { exact: true }).fill(account.password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${target.url}/admin/dashboard`);
    await page.goto(target.url);
    await submit(page, token);
    await expectPhrase(page, words.pre[0]);
  } finally {
    await closePages(page);
    await server.stop();
    await target.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
