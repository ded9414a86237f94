import type { Page } from '@playwright/test';
import { closingIdeas } from '../../src/texts/admin/suggestions.ts';
import { expect, laptop, test } from './support/admin.ts';
import { expectToast, stored } from './support/content.ts';
import { undo } from './support/phrases.ts';
import { holdClock } from './support/stage.ts';

/** «Annulla» in the notice of what was emptied, and of an idea that was taken. */

test.use(laptop);

const CLOSING = 'Se risponde due volte sì';

test('a text that was emptied is told, and taken back in the notice', async ({ page, adminSite }) => {
  const { admin } = adminSite;
  const asked = { domanda_1_viaggio_2: 'Andiamo?', domanda_2_viaggio_2: 'Sicura?' };
  await admin.call('PATCH', '/admin/questions', { versione: 0, fields: asked });
  await adminSite.open('/admin/second-trip-checkbox');
  const question = page.getByLabel('Prima domanda');
  await question.fill('');
  await expectToast(page, 'Testo svuotato');
  await undo(page);
  await expectToast(page, 'Rimesso dov’era');
  await expect(question).toHaveValue('Andiamo?');
  expect(await admin.call('GET', '/admin/questions')).toMatchObject(asked);

  const frasi_finali = { entrambi_si: 'Sì!', entrambi_no: 'No.', misto: 'Forse' };
  const { versione } = await stored(adminSite);
  await admin.call('PATCH', '/admin/config', { versione, fields: { frasi_finali } });
  await adminSite.open('/admin/frasi-finali');
  const release = await heldSave(page);
  await page.getByLabel(CLOSING).fill('');
  await page.getByRole('button', { name: 'Salva', exact: true }).click();
  await release();
  await expectToast(page, 'Frasi finali salvate con successo!');
  await undo(page);
  await expect(page.getByLabel(CLOSING)).toHaveValue('Sì!');
  await expect.poll(async () => (await stored(adminSite)).frasi_finali).toEqual(frasi_finali);
});

/** Holds the next save of the configuration: whether it began by itself or by «Salva», «Salva» is pressed before it ends. */
async function heldSave(page: Page): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/admin/config', async (route) => {
    if (route.request().method() === 'PATCH') await released;
    await route.continue();
  });
  return async () => release();
}

test('an idea is taken back to what stood there, unless it was made one’s own', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  await page.clock.install();
  await adminSite.open('/admin/frasi-finali');
  const field = page.getByLabel(CLOSING);
  const [idea = ''] = closingIdeas.entrambi_si;
  const take = page.getByRole('button', { name: idea, exact: true });
  await field.fill('Mia');
  await take.click();
  await expectToast(page, 'Idea inserita');
  await expect(field).toHaveValue(idea);
  // Taken once more while the notice is closing: what it says then isn't taken away with it.
  await holdClock(page);
  await undo(page);
  await expect(field).toHaveValue('Mia');
  await take.click();
  await page.clock.runFor(1_000);
  await expectToast(page, 'Idea inserita');
  // However long the writing takes here, the notice stays.
  await field.fill(`${idea} E di più.`);
  await undo(page);
  await page.clock.resume();
  await expectToast(page, 'Intanto hai cambiato il testo: resta com’è.');
  await expect(field).toHaveValue(`${idea} E di più.`);

  await take.click();
  await expectToast(page, 'Idea inserita');
  await page.getByRole('link', { name: 'Torna al pannello' }).first().click();
  await expect(page.getByText('Idea inserita')).toHaveCount(0);
  await expect.poll(async () => (await stored(adminSite)).frasi_finali?.entrambi_si).toBe(idea);
});

test('a phrase that was suggested goes again, unless it was changed', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  await page.clock.install();
  await adminSite.open('/admin/frasi');
  const idea = page.getByRole('button', { name: 'Alza il volume, spegni la luce e respira piano.' });
  await idea.click();
  await expectToast(page, 'Frase aggiunta e salvata');
  await undo(page);
  await expectToast(page, 'Di nuovo com’era');
  await expect.poll(async () => (await stored(adminSite)).frasi_pre_video).toEqual([]);

  await idea.click();
  await expectToast(page, 'Frase aggiunta e salvata');
  await holdClock(page);
  await page.getByRole('textbox', { name: 'Frase 1', exact: true }).fill('Alza il volume.');
  await undo(page);
  await page.clock.resume();
  await expectToast(page, 'Intanto hai cambiato il testo: resta com’è.');
  await expect.poll(async () => (await stored(adminSite)).frasi_pre_video).toEqual(['Alza il volume.']);
});
