import type { Page } from '@playwright/test';
import { call } from '../support/http.ts';
import { enter, ok, walkTo } from '../support/http-evening.ts';
import { expectAxeClean, expectFingerSized } from './support/accessible.ts';
import { adminPage, expect, signInAdmin, test } from './support/admin.ts';
import { twoTrips, words } from './support/surprises.ts';

/** What the dashboard says of the evening: before it, while she walks, and after. */

const says = (page: Page, title: string) => page.getByRole('heading', { name: title, exact: true });
const notYet = (page: Page) => page.getByText(/^Prima che la sorpresa possa cominciare/);

test('the dashboard follows her through the surprise, and is glad at its end', async ({ page, prepare }) => {
  test.slow();
  const evening = await prepare(twoTrips);
  const { server } = evening;
  const code = await evening.code();
  await signInAdmin(page, server);
  await adminPage(page, server, '/admin/dashboard');
  await expect(says(page, 'A che punto sei')).toBeVisible();
  // This machine's address opens nowhere else.
  await expect(notYet(page)).toBeVisible();

  const visitor = await enter(server, { token: code });
  await expect(says(page, 'Giulia è alle frasi prima del video')).toBeVisible();
  // Her code is used up: that is what it was for.
  await expect(notYet(page)).toHaveCount(0);
  await walkTo(server, visitor, 'video');
  await expect(says(page, 'Giulia è al video')).toBeVisible();
  await expectAxeClean(page);

  await walkTo(server, visitor, 'questions', 2);
  await expect(says(page, 'Giulia è alle domande del secondo viaggio')).toBeVisible();
  const given = page.getByRole('region', { name: 'Le risposte' }).locator('dl > div');
  await expect(given).toHaveText([`${words.domanda_1}Sì`, `${words.domanda_2}Sì`]);
  const exit = {
    state: 'closed',
    exitPoint: 'during_checkboxes',
    timestamp: new Date().toISOString(),
    seq: 1,
  };
  ok(await call(server.url, 'POST', '/visit/track-user-exit', exit, { cookie: visitor }));
  await expect(says(page, 'Giulia ha messo in pausa: era alle domande del secondo viaggio')).toBeVisible();
  await expect(notYet(page)).toHaveCount(0);

  await walkTo(server, visitor, 'closing', 2);
  await expect(says(page, 'Giulia è al finale')).toBeVisible();
  ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie: visitor }));
  await expect(says(page, 'Ha detto sì')).toBeVisible();
  await expect(page.getByText(/^Giulia, \d/)).toBeVisible();
  await expect(given).toHaveText([
    `${words.domanda_1}Sì`,
    `${words.domanda_2}Sì`,
    `${words.domanda_1_viaggio_2}Sì`,
    `${words.domanda_2_viaggio_2}Sì`,
  ]);
  await expect(notYet(page)).toHaveCount(0);
  await expectAxeClean(page);

  // For another time: what is needed is said again.
  await evening.code();
  await expect(says(page, 'A che punto sei')).toBeVisible();
});

test('whatever a finger presses on the dashboard is as large as a fingertip', async ({ page, prepare }) => {
  const evening = await prepare(twoTrips);
  const { server } = evening;
  await signInAdmin(page, server);
  await adminPage(page, server, '/admin/dashboard');
  await expect(notYet(page)).toBeVisible();
  // Of all the pieces only the code: nobody can enter without one.
  await expect(page.getByText('manca', { exact: true })).toHaveCount(1);
  await page.getByText(/cose pronte$/).tap();
  await expectFingerSized(page);
  await enter(server, { token: await evening.code() });
  await expect(page.getByRole('link', { name: 'Segui la visita' })).toBeVisible();
  await expectFingerSized(page);
});
