import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { MediaItem } from '../../src/contract/admin/media.ts';
import { normalizeCode } from '../../src/domain/codes.ts';
import {
  advanceClock,
  answersOf,
  enter,
  expect,
  inTime,
  sessionsOf,
  test,
  tokenRow,
} from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import {
  answer,
  downloadTickets,
  expectPhrase,
  expectSceneNotice,
  probe,
  startVideo,
  walkToCard,
} from './support/walk.ts';

/** A complete evening with real taps. The browser's clock skips waiting times; the three seconds of film are real. */
test.beforeEach(async ({ page }) => page.clock.install());

const { entrambi_si, entrambi_no, misto } = words.closing;
for (const [first, second, closing, tag] of [
  ['Sì', 'Sì', entrambi_si, '@iphone-first'],
  ['No', 'No', entrambi_no, '@long'],
  ['Sì', 'No', misto, ''],
] as const) {
  test(`ends one trip answered ${first} and ${second}, and leaves no data behind`, {
    tag: tag === '' ? [] : tag,
  }, async ({ page, prepare }) => {
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
    await downloadTickets(page);
    await answer(page, words.domanda_1, first);
    await answer(page, words.domanda_2, second);
    const love = closing === entrambi_si ? 'Ti amo...' : '';
    await expectSceneNotice(page, `${love}Le risposte sono state inviate.`);
    await expectPhrase(page, closing);
    await expect(sky).toHaveAttribute('data-hour', 'dawn');
    await advanceClock(page, 20);
    await expect(page).toHaveURL(`${evening.server.url}/`);
    await expectNothingLeft(page, code.token, closing);

    expect(await answersOf(evening)).toEqual([
      { viaggio: 1, risposta_1: first === 'Sì', risposta_2: second === 'Sì' },
    ]);
    expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
    const completed_at = expect.any(String);
    expect(await sessionsOf(evening, code)).toMatchObject([{ completed_at, is_active: false }]);
  });
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

const PICTURE = { width: 1_600, height: 1_200 };
/** Position of the titles. */
const POINT = { x: 0.95, y: 0.9 };
const RED = { r: 255, g: 0, b: 0 };

/** Draws a blue picture with a red disc at the point. */
async function drawDisc(path: string): Promise<string> {
  const [x, y] = [POINT.x * PICTURE.width, POINT.y * PICTURE.height];
  const svg = `<svg width="1600" height="1200"><circle cx="${x}" cy="${y}" r="60" fill="red"/></svg>`;
  const blue = sharp({ create: { ...PICTURE, channels: 3, background: { r: 0, g: 0, b: 255 } } });
  const disc = blue.composite([{ input: Buffer.from(svg) }]).png();
  await writeFile(path, await disc.toBuffer());
  return path;
}

test.describe('without motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('keeps the chosen point of a picture in view', { tag: '@long' }, async ({ page, prepare }, info) => {
    const config = { frasi_pre_video: [], frasi: [], durata_immagine_destinazione_secondi: 20 };
    const image = await drawDisc(join(info.outputPath(), 'disc.png'));
    const evening = await prepare(but(oneTrip, { config, files: { image } }));
    const [item] = await evening.admin.call<MediaItem[]>('GET', '/admin/media/immagine');
    await evening.admin.call('POST', `/admin/media/immagine/${item?.id}/focus`, { fuoco: POINT });
    await enter(page, evening, (await evening.code()).token);
    await startVideo(page);
    await inTime(page, page.getByText('Lisbona', { exact: true }));
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      const clip = { x: POINT.x * width - 3, y: POINT.y * height - 3, width: 6, height: 6 };
      await expect.poll(async () => colourOf(await page.screenshot({ clip }))).toEqual(RED);
    }
  });
});

/** Returns the rounded colour of most of a picture. */
async function colourOf(picture: Buffer) {
  const { dominant } = await sharp(picture).stats();
  const rough = (value: number) => (value > 180 ? 255 : 0);
  return { r: rough(dominant.r), g: rough(dominant.g), b: rough(dominant.b) };
}
