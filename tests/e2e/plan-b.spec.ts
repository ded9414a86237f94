import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { planBFile, sealEvening } from '../support/plan-b.ts';
import { expectAxeClean } from './support/accessible.ts';
import { test as adminTest, signInAdmin } from './support/admin.ts';
import { expect, submit, test } from './support/stage.ts';
import { twoTrips, words } from './support/surprises.ts';
import { sees, walkFromCardToEnd, walkToCard } from './support/walk.ts';

/** The evening without the site: one file, opened out of a folder. */

/** A code costs 64 MiB four times over, on a machine that has other things to do. */
const CODE_TRIED = { timeout: 60_000 };

test(
  'the file is walked to its end with the right code, and with no other',
  { tag: '@long' },
  async ({ page, prepare }, info) => {
    test.slow();
    const evening = await prepare(twoTrips);
    const code = await evening.code();
    const asking = { url: evening.server.url, cookie: evening.server.session };
    await sealEvening(asking);
    const path = info.outputPath('piano-b.html');
    await writeFile(path, await planBFile(asking));
    await evening.server.stop();
    await page.context().setOffline(true);
    await page.clock.install();
    await page.goto(pathToFileURL(path).href);

    await submit(page, 'ROM-SBAGLIAT');
    await expect(page.getByRole('alert')).toHaveText('Codice non valido', CODE_TRIED);
    await submit(page, code.token);
    await sees(page, words.pre[0], CODE_TRIED.timeout);
    await walkToCard(page);
    await page.getByRole('button', { name: 'Guarda i biglietti' }).tap();
    await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
    await page.getByRole('dialog').getByRole('button').first().tap();
    await walkFromCardToEnd(page);
    await page.clock.runFor(10_000);
    await sees(page, 'La serata è finita');
    await expect(page.getByText(`${words.domanda_1} Sì`)).toBeVisible();
    await expect(page.getByText(`${words.domanda_2_viaggio_2} Sì`)).toBeVisible();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copia le risposte' }).tap();
    await expect(page.getByText('Copiate.')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${words.domanda_1} Sì`);
  },
);

adminTest(
  'the page has it made, hands it out, and says that it is old once a code has come',
  async ({ page, prepare }) => {
    const evening = await prepare(twoTrips);
    await signInAdmin(page, evening.server);
    await page.goto(`${evening.server.url}/admin/piano-b`);
    const make = page.getByRole('button', { name: 'Prepara il piano B' });
    await expect(make).toBeDisabled();
    await expect(page.getByText('Nessun codice apre la serata adesso')).toBeVisible();
    await evening.code();
    await page.reload();
    await make.tap();
    await expect(page.getByText('È la serata com’è adesso.')).toBeVisible({ timeout: 30_000 });
    await expectAxeClean(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Scarica il piano B' }).tap();
    expect((await downloading).suggestedFilename()).toBe('piano-b.html');

    await evening.code();
    await page.reload();
    await expect(page.getByText('Da allora hai cambiato qualcosa')).toBeVisible();
  },
);
