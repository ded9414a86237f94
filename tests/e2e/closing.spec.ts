import { heartsUnderWords } from './support/hearts.ts';
import { enter, expect, test } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { answer, downloadTickets, sees, walkToCard } from './support/walk.ts';

const LONG =
  'Non ricordo com’era prima di te, e non voglio ricordarlo: ogni giorno che verrà sarà nostro, fino all’ultimo, indimenticabilmente.';

/** The smallest phone, and one that lies. */
for (const [width, height] of [
  [320, 568],
  [844, 390],
] as const)
  test(`long last words are whole on the screen at ${width} x ${height}, and no heart lies under them`, {
    tag: '@long',
  }, async ({ page, prepare }) => {
    test.slow();
    await page.setViewportSize({ width, height });
    await page.clock.install();
    const evening = await prepare(
      but(oneTrip, { config: { frasi_finali: { ...words.closing, entrambi_si: LONG } } }),
    );
    const { token } = await evening.code();
    await enter(page, evening, token);
    await walkToCard(page);
    await downloadTickets(page);
    await answer(page, words.domanda_1, 'Sì');
    await answer(page, words.domanda_2, 'Sì');
    await sees(page, LONG);
    await expect(page.locator('[data-depth]')).toHaveCount(20);
    expect(await heartsUnderWords(page)).toEqual([]);
    await expect(page.getByText(LONG, { exact: true })).toBeInViewport({ ratio: 1 });
  });
