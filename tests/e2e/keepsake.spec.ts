import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { type Evening, expect, still, test } from './support/stage.ts';
import { but, twoTrips, words } from './support/surprises.ts';

/** A finished evening, viewed again (decision 064). */
test.use(still);

const named = but(twoTrips, { config: { recipient_name: 'Giulia' } });

/** Completes the evening in this browser by its calls only. */
async function finish(page: Page, { server: { url } }: Evening, token: string): Promise<void> {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${url}/api${path}`, { data, headers: { origin: url } });
    expect([path, answer.status()]).toEqual([path, 200]);
    return answer.json();
  };
  let { visit } = await post('/access', { token, attempt_id: randomUUID(), device_id: 'device-1-a' });
  for (let step = 0; !visit.complete || step < visit.stages.length; step += 1) {
    visit = await post('/visit/position', { step, phrase: 0, second: 0 });
    const { stage, viaggio } = visit.stages[step];
    if (stage === 'questions') await post('/visit/answers', { viaggio, risposta_1: true, risposta_2: false });
  }
  await post('/visit/complete', {});
}

const leave = ({ server: { deps } }: Evening, keepsake_until: string | null) =>
  deps.inTransaction((tx) => tx.updateTable('admin_config').set({ keepsake_until }).execute());

test('stores a finished evening on its device until its last day', async ({ page, browser, prepare }) => {
  const evening = await prepare(named);
  const { url } = evening.server;
  await leave(evening, '2100-12-31');
  const code = await evening.code();
  await finish(page, evening, code.token);

  await page.goto(url);
  await page.getByRole('link', { name: 'Tieni questa sera con te' }).tap();
  await expect(page).toHaveURL(`${url}/ricordo`);
  await page.getByLabel('Riscrivi il codice con cui l’hai aperta').fill('ROM-SBAGLIATO');
  await page.getByRole('button', { name: 'Apri' }).tap();
  await expect(page.getByRole('alert')).toHaveText('Codice non valido o scaduto');
  await page.getByLabel('Riscrivi il codice con cui l’hai aperta').fill(code.token.toLowerCase());
  await page.getByRole('button', { name: 'Apri' }).tap();

  await expect(page.getByRole('heading', { name: 'Giulia, questa sera è tua' })).toBeFocused();
  for (const text of [...words.pre, ...words.post, ...words.between, ...words.second, ...words.final])
    await expect(page.getByText(text)).toBeAttached();
  await expect(page.getByText(words.domanda_1_viaggio_2)).toBeAttached();
  await expect(page.locator('video')).toHaveJSProperty('controls', true);
  await expect
    .poll(() => page.locator('video').evaluate((film: HTMLVideoElement) => film.readyState))
    .toBeGreaterThan(0);
  const calendar = page.getByRole('link', { name: 'Metti il viaggio nel calendario' });
  await expect(calendar).toHaveCount(1);
  await expectNoSidewaysScroll(page);
  await expectAxeClean(page);

  await page.getByLabel('Vuoi scrivere qualcosa a chi ha preparato questa sera?').fill('Non la dimentico.');
  await page.getByRole('button', { name: 'Invia' }).tap();
  await expect(page.getByText(/^Le tue parole sono arrivate/)).toBeVisible();

  // After a reload it asks for the code; the browser stores nothing.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Apri' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('Giulia');

  const other = await browser.newPage();
  await other.goto(url);
  await expect(other.getByPlaceholder('Il tuo codice')).toBeVisible();
  await expect(other.getByRole('link')).toHaveCount(0);
  await other.goto(`${url}/ricordo`);
  await expect(other.getByText('Qui adesso non c’è niente da vedere.')).toBeVisible();
  await other.close();

  await page.getByLabel('Riscrivi il codice con cui l’hai aperta').fill(code.token);
  await page.getByRole('button', { name: 'Apri' }).tap();
  await expect(page.getByLabel('Vuoi scrivere qualcosa a chi ha preparato questa sera?')).toHaveValue(
    'Non la dimentico.',
  );
  await leave(evening, null);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText('Qui adesso non c’è niente da vedere.')).toBeVisible();
  await expect(page.getByText('Giulia')).toHaveCount(0);
});
