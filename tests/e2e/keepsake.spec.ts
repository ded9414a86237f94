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

test('shows a finished evening again on its device, to its code', async ({ page, browser, prepare }) => {
  const evening = await prepare(named);
  const { url, deps } = evening.server;
  await deps.inTransaction((tx) =>
    tx.updateTable('admin_config').set({ keepsake_until: '2100-12-31' }).execute(),
  );
  const code = await evening.code();
  await finish(page, evening, code.token);

  await page.goto(url);
  await page.getByRole('link', { name: 'Tieni questa sera con te' }).tap();
  await expect(page).toHaveURL(`${url}/ricordo`);
  await page.getByLabel('Riscrivi il codice con cui l’hai aperta').fill(code.token.toLowerCase());
  await page.getByRole('button', { name: 'Apri' }).tap();

  await expect(page.getByRole('heading', { name: 'Giulia, questa sera è tua' })).toBeFocused();
  for (const text of [words.pre[0], words.final[1], words.domanda_1_viaggio_2])
    await expect(page.getByText(text)).toBeAttached();
  await expect(page.locator('video')).toHaveJSProperty('controls', true);
  await expect
    .poll(() => page.locator('video').evaluate((film: HTMLVideoElement) => film.readyState))
    .toBeGreaterThan(0);
  await expectNoSidewaysScroll(page);
  await expectAxeClean(page);

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
});
