import type { Page } from '@playwright/test';
import { normalizeCode } from '../../src/domain/codes.ts';
import { advanceClock, answersOf, enter, expect, sessionsOf, test, tokenRow } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import {
  answer,
  downloadTickets,
  expectPhrase,
  expectSceneNotice,
  probe,
  walkToCard,
} from './support/walk.ts';

/** A complete evening with real taps. The browser's clock skips waiting times; the three seconds of film are real. */
test.beforeEach(async ({ page }) => page.clock.install());

const { entrambi_si, misto } = words.closing;
for (const [second, closing, tag] of [
  ['Sì', entrambi_si, ['@iphone-first']],
  ['No', misto, []],
] as const) {
  test(
    `ends one trip answered Sì and ${second}, and leaves no data behind`,
    {
      tag: [...tag],
    },
    async ({ page, prepare }, { project }) => {
      const evening = await prepare(but(oneTrip, { config: { recipient_name: 'Giulia' } }));
      const code = await evening.code();
      await enter(page, evening, code.token);
      // The letter may still cover it.
      const sky = page.locator('main[data-hour]');
      await expect(sky).toHaveAttribute('data-hour', 'dusk');
      await walkToCard(page);
      await expect(sky).toHaveAttribute('data-hour', 'journey');
      // Without instructions, the default ones are shown below the download.
      await expect(page.getByText('P.S dopo aver visto i biglietti torna sul sito')).toBeVisible();
      if (project.name === 'iphone') {
        await page.getByRole('button', { name: 'Salva o condividi' }).tap();
        await expect.poll(() => probe(page, '__shared')).toEqual([['biglietti.pdf']]);
      }
      await downloadTickets(page);
      await answer(page, words.domanda_1, 'Sì');
      await answer(page, words.domanda_2, second);
      const love = closing === entrambi_si ? 'Ti amo...' : '';
      await expectSceneNotice(page, `${love}Le risposte sono state inviate.`);
      await expectPhrase(page, closing);
      await expect(sky).toHaveAttribute('data-hour', 'dawn');
      await advanceClock(page, 20);
      await expect(page).toHaveURL(`${evening.server.url}/`);
      await expectNothingLeft(page, code.token, closing);

      expect(await answersOf(evening)).toEqual([
        { viaggio: 1, risposta_1: true, risposta_2: second === 'Sì' },
      ]);
      expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
      const completed_at = expect.any(String);
      expect(await sessionsOf(evening, code)).toMatchObject([{ completed_at, is_active: false }]);
    },
  );
}

/** Checks that page, history and browser storage contain nothing of the evening, and that Back stays on the page. */
async function expectNothingLeft(page: Page, token: string, closing: string): Promise<void> {
  // Some in-app browsers have no storage at all.
  const stored =
    "['localStorage', 'sessionStorage'].map((name) => { try { return { ...window[name] } } catch { return null } })";
  const everything = `document.documentElement.outerHTML + JSON.stringify([history.state, ${stored}])`;
  const told = [...words.pre, ...words.post, closing, words.domanda_1, words.domanda_2];
  const nothing = async () => {
    const left = await probe<string>(page, everything);
    for (const text of [...told, 'Lisbona', 'marzo', '/api/media/', 'biglietti.pdf', normalizeCode(token)])
      expect(left).not.toContain(text);
  };
  // The song fades out first.
  await expect.poll(() => probe(page, "document.querySelectorAll('audio[src]').length")).toBe(0);
  await nothing();
  const url = page.url();
  await Promise.all([page.waitForEvent('framenavigated'), probe(page, 'history.back()')]);
  await expect(page).toHaveURL(url);
  await nothing();
  // The envelope shows the recipient's name; the form opens with a tap.
  await expect(page.getByRole('heading')).toHaveText('Giulia');
  await page.getByRole('button', { name: 'Ho un codice' }).tap();
  await expect(page.getByPlaceholder('Il tuo codice')).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Una Sorpresa per Te' })).toBeVisible();
}
