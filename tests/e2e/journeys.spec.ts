import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { normalizeCode } from '../../src/domain/codes.ts';
import { answersOf, enter, expect, pass, sessionsOf, test, tokenRow } from './support/stage.ts';
import { but, oneTrip, twoTrips, words } from './support/surprises.ts';
import {
  answer,
  downloadTickets,
  phrases,
  probe,
  saysInScene,
  sees,
  startVideo,
  walkFromVideoToCard,
  walkSecondTrip,
  walkToCard,
} from './support/walk.ts';

/** Whole evenings, by real taps; the waiting is passed by the browser's clock, the three seconds of video are real. */
test.beforeEach(async ({ page }) => page.clock.install());

const closings = [
  {
    name: 'a: both yes',
    choices: ['Sì', 'Sì'],
    closing: words.closing.entrambi_si,
    notice: 'Ti amo...Le risposte sono state inviate.',
  },
  {
    name: 'b: both no',
    choices: ['No', 'No'],
    closing: words.closing.entrambi_no,
    notice: 'Le risposte sono state inviate.',
  },
  {
    name: 'c: mixed',
    choices: ['Sì', 'No'],
    closing: words.closing.misto,
    notice: 'Le risposte sono state inviate.',
  },
] as const;

for (const { name, choices, closing, notice } of closings) {
  const tag = name.startsWith('a') ? ['@iphone-first'] : ['@long'];
  test(`one trip, ${name}`, { tag }, async ({ page, prepare }) => {
    const evening = await prepare(oneTrip);
    const code = await evening.code();
    await enter(page, evening, code.token);
    // The letter may still lie over it.
    const sky = page.locator('main[data-hour]');
    await expect(sky).toHaveAttribute('data-hour', 'dusk');
    await walkToCard(page);
    await expect(sky).toHaveAttribute('data-hour', 'journey');
    // Nobody wrote instructions: the default ones stand below the download.
    await expect(page.getByText('P.S dopo aver visto i biglietti torna sul sito')).toBeVisible();
    const share = page.getByRole('button', { name: 'Salva o condividi' });
    // Only phones have something to share with.
    await expect(share).toHaveCount(test.info().project.name === 'iphone' ? 1 : 0);
    await downloadTickets(page);
    await answer(page, words.domanda_1, choices[0]);
    await answer(page, words.domanda_2, choices[1]);
    await saysInScene(page, notice);
    await sees(page, closing);
    await expect(sky).toHaveAttribute('data-hour', 'dawn');
    await pass(page, 20);
    await expect(page).toHaveURL(`${evening.server.url}/`);
    await expect(page.getByRole('heading', { name: 'Una Sorpresa per Te' })).toBeVisible();
    await expectNothingLeft(page, code.token, closing);

    expect(await answersOf(evening)).toEqual([
      { viaggio: 1, risposta_1: choices[0] === 'Sì', risposta_2: choices[1] === 'Sì' },
    ]);
    expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
    const [session] = await sessionsOf(evening, code);
    expect(session?.completed_at).not.toBeNull();
    expect(session?.is_active).toBe(false);
  });
}

/** Of the evening nothing is left: not in the page, its history or what the browser stores for the site, and back leads nowhere else. */
async function expectNothingLeft(page: Page, token: string, closing: string): Promise<void> {
  // Some browsers inside apps have no storage at all.
  const stored =
    "['localStorage', 'sessionStorage'].map((name) => { try { return { ...window[name] } } catch { return null } })";
  const everything = `document.documentElement.outerHTML + JSON.stringify([history.state, ${stored}])`;
  const told = [...words.pre, ...words.post, closing, words.domanda_1, words.domanda_2];
  const nothing = async () => {
    const left = await probe<string>(page, everything);
    for (const text of [...told, 'Lisbona', 'marzo', '/api/media/', 'biglietti.pdf', normalizeCode(token)])
      expect(left).not.toContain(text);
  };
  await nothing();
  const url = page.url();
  await Promise.all([page.waitForEvent('framenavigated'), probe(page, 'history.back()')]);
  await expect(page).toHaveURL(url);
  await expect(page.getByPlaceholder('Il tuo codice')).toBeVisible();
  await nothing();
}

test('d: two trips with the song, answers for each', { tag: ['@long', '@iphone-first'] }, async ({
  page,
  prepare,
}) => {
  const evening = await prepare(twoTrips);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await walkToCard(page);
  await downloadTickets(page);
  await answer(page, words.domanda_1, 'Sì');
  await answer(page, words.domanda_2, 'Sì');
  await walkSecondTrip(page);
  await answer(page, words.domanda_1_viaggio_2, 'No');
  await answer(page, words.domanda_2_viaggio_2, 'Sì');
  await phrases(page, words.final);
  await pass(page, 3);
  await expect(page).toHaveURL(`${evening.server.url}/`);
  expect(await answersOf(evening)).toEqual([
    { viaggio: 1, risposta_1: true, risposta_2: true },
    { viaggio: 2, risposta_1: false, risposta_2: true },
  ]);
});

test('e: without phrases before the video', { tag: ['@long', '@nodes'] }, async ({ page, prepare }) => {
  const evening = await prepare(but(oneTrip, { config: { frasi_pre_video: ['   '] } }));
  const code = await evening.code();
  await enter(page, evening, code.token);
  await walkFromVideoToCard(page);
});

test('f: without closing phrases the success notice closes', { tag: '@long' }, async ({ page, prepare }) => {
  const evening = await prepare(but(oneTrip, { config: { frasi_finali: null } }));
  const code = await evening.code();
  await enter(page, evening, code.token);
  await walkToCard(page);
  await downloadTickets(page);
  await answer(page, words.domanda_1, 'No');
  await answer(page, words.domanda_2, 'No');
  await saysInScene(page, 'Le risposte sono state inviate.');
  await pass(page, 5);
  await pass(page, 2);
  await expect(page).toHaveURL(`${evening.server.url}/`);
});

test('without tickets and questions the card leads on and the evening still ends', {
  tag: ['@long', '@nodes'],
}, async ({ page, prepare }) => {
  const { tickets: _, image: __, ...files } = oneTrip.files;
  const evening = await prepare({
    ...oneTrip,
    config: { ...oneTrip.config, frasi_finali: null },
    questions: {},
    files,
  });
  const code = await evening.code();
  await enter(page, evening, code.token);
  await phrases(page, words.pre);
  await startVideo(page);
  await phrases(page, words.post);
  await pass(page, 1);
  await page.getByRole('button', { name: 'Continua' }).tap();
  await saysInScene(page, 'Le risposte sono state inviate.');
  await pass(page, 2);
  await expect(page).toHaveURL(`${evening.server.url}/`);
});

test('the song is first asked for when the film needs the network no longer, and before it is over', {
  tag: ['@long', '@nodes'],
}, async ({ page, prepare }) => {
  const video = resolve(import.meta.dirname, '../fixtures/video-big.mp4');
  const evening = await prepare(but(oneTrip, { files: { video } }));
  const code = await evening.code();
  // The film calls itself a minute longer than it is: most of it is still to come.
  await page.addInitScript(() => {
    const lie = Object.assign(window, { more: 60, order: [] as string[] });
    const native = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'duration');
    Object.defineProperty(HTMLVideoElement.prototype, 'duration', {
      get: () => Number(native?.get?.call(document.querySelector('video'))) + lie.more,
    });
    const note = ({ type, target }: Event) => {
      if (target instanceof HTMLVideoElement === (type === 'ended')) lie.order.push(type);
    };
    for (const type of ['loadstart', 'ended']) addEventListener(type, note, { capture: true });
  });
  const songs: string[] = [];
  page.on('request', (request) => request.url().endsWith('.mp3') && songs.push(request.url()));
  await enter(page, evening, code.token);
  await phrases(page, words.pre);
  await startVideo(page);
  await expect.poll(() => probe(page, 'document.querySelector("video").currentTime')).toBeGreaterThan(1);
  expect(songs).toEqual([]);
  await probe(page, 'void (window.more = 0)');
  await expect.poll(() => songs.length).toBe(1);
  await sees(page, words.post[0]);
  expect((await probe<string[]>(page, 'window.order')).slice(0, 2)).toEqual(['loadstart', 'ended']);
});
