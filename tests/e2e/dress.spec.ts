import { keepsakeTexts } from '../../src/texts/keepsake.ts';
import { heartsUnderWords } from './support/hearts.ts';
import { noteShifts } from './support/shifts.ts';
import { enter, expect, pass, test } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { answer, downloadTickets, saysInScene, sees, walkToCard } from './support/walk.ts';

/** The second dress (decision 060), and the way from the last scene to the keepsake (064). */
test('a whole evening in «Alba sul mare»: nothing jumps, and at its end she keeps it', {
  tag: '@long',
}, async ({ page, prepare }) => {
  test.slow();
  const shifts = await noteShifts(page);
  await page.clock.install();
  const evening = await prepare(but(oneTrip, { config: { recipient_name: 'Giulia', dress: 'alba' } }));
  await evening.server.deps.inTransaction((tx) =>
    tx.updateTable('admin_config').set({ keepsake_until: '2100-12-31' }).execute(),
  );
  const { token } = await evening.code();
  await enter(page, evening, token);
  await walkToCard(page);
  await downloadTickets(page);
  await answer(page, words.domanda_1, 'Sì');
  await answer(page, words.domanda_2, 'Sì');
  await saysInScene(page, 'Ti amo...Le risposte sono state inviate.');
  await sees(page, words.closing.entrambi_si);
  await expect(page.locator('[data-depth]')).toHaveCount(20);
  expect(await heartsUnderWords(page)).toEqual([]);
  await expect(page.locator('html')).toHaveAttribute('data-dress', 'alba');
  await pass(page, 20);
  await expect(page).toHaveURL(`${evening.server.url}/`);

  await page.getByRole('link', { name: 'Tieni questa sera con te' }).tap();
  await page.getByLabel(keepsakeTexts.prompt).fill(token);
  await page.getByRole('button', { name: 'Apri' }).tap();
  await expect(page.getByRole('heading', { name: 'Giulia, questa sera è tua' })).toBeFocused();
  for (const text of [...words.pre, ...words.post, words.domanda_1, words.closing.entrambi_si, 'Lisbona'])
    await expect(page.getByText(text, { exact: true })).toBeAttached();
  await expect(page.locator('video')).toHaveJSProperty('controls', true);
  await expect(page.getByRole('img', { name: 'Lisbona' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-dress', 'alba');
  // Its tickets, in the evening's own viewer.
  await page.getByRole('button', { name: 'Guarda i biglietti' }).tap();
  await expect(page.getByRole('img', { name: 'Biglietti, pagina 1' })).toBeVisible({ timeout: 45_000 });
  await page.getByRole('button', { name: 'Chiudi' }).tap();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // On the other pages letters that come late move what others stood in for (no phone's here).
  expect(shifts.filter((shift) => shift.startsWith('/experience'))).toEqual([]);
});
