import { resolve } from 'node:path';
import { expect } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { answersOf, type Evening, sessionsOf, tokenRow } from '../e2e/support/evening.ts';
import { but, oneTrip, twoTrips, words } from '../e2e/support/surprises.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import type { Engine, Tab } from './support/engine.ts';
import { test } from './support/evening.ts';
import {
  answer,
  closeTickets,
  comes,
  destination,
  downloadTickets,
  enter,
  held,
  holds,
  PLAYS,
  pass,
  phrases,
  pressBackTwice,
  sees,
  startVideo,
  tap,
  until,
  walkFromFilmToCard,
} from './support/steps.ts';

const CAPTIONS = 'document.querySelector("video").textTracks[0]';
const CAPTIONS_DRAWN = `${CAPTIONS}.mode === "hidden" && document.body.innerText.includes("Era la nostra prima sera")`;

/** Eight seconds of film: what is done while it plays is done before it ends. */
const LONG_FILM = resolve(import.meta.dirname, '../fixtures/video-big.mp4');

/** What an engine may do otherwise than Chromium: each evening has a clock in the page, and the three seconds of film are real. */
export function evenings(engine: Engine): void {
  test('a reload during the video', async ({ prepare, start }) => {
    const evening = await prepare(
      but(oneTrip, { config: { frasi_pre_video: [] }, files: { video: LONG_FILM } }),
    );
    const [film] = await evening.admin.call<MediaItem[]>('GET', '/admin/media/video');
    const captions = { text: '00:00 --> 01:00\nEra la nostra prima sera', mode: 'device' };
    await evening.admin.call('POST', `/admin/media/video/${film?.id}/captions`, captions);
    const code = await evening.code();
    const tab = await start(engine);
    await enter(tab, evening.server.url, code.token);
    await startVideo(tab);
    // They come by themselves, and may be later than the film.
    await holds(tab, 'the captions to be there', 'document.querySelector("video").textTracks.length > 0');
    // As the engine does by itself where captions are turned on.
    await tab.read(`${CAPTIONS}.mode = "showing"`);
    await holds(tab, 'the captions, drawn by the page', CAPTIONS_DRAWN);
    await until(
      tab,
      'the place in the film to be known',
      async () => (await sessionsOf(evening, code))[0]?.second,
    );
    const [before] = await sessionsOf(evening, code);
    await tab.reload();
    await tap(tab, 'Inizia Esperienza');
    await holds(
      tab,
      'the film where it was',
      `${PLAYS} && document.querySelector("video").currentTime >= ${before?.second}`,
    );
    await sees(tab, words.post[0]);
    expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
    expect(await sessionsOf(evening, code)).toMatchObject([{ is_active: true, disconnection_reason: null }]);
  });

  test('a revocation during the video', async ({ prepare, start }) => {
    const evening = await prepare(
      but(oneTrip, { config: { frasi_pre_video: [] }, files: { video: LONG_FILM } }),
    );
    const code = await evening.code();
    const tab = await start(engine, { allowed: REFUSED_CHANNEL });
    await enter(tab, evening.server.url, code.token);
    await startVideo(tab);
    await evening.admin.call('PATCH', `/admin/tokens/${code.id}`, { attivo: false });
    await sees(tab, "Sei stato disconnesso dall'amministratore");
    await sees(tab, 'Contatta @marco per maggiori informazioni');
    await pass(tab, 2);
    await expectOver(tab);
    expect(await tab.read(`document.querySelector("video") !== null && ${PLAYS}`)).toBe(false);
    expect(await tab.read(FULL_SCREEN)).toBe(false);
    expect(await sessionsOf(evening, code)).toMatchObject([
      { is_active: false, disconnection_reason: 'token_revoked' },
    ]);
  });

  // As on an iPhone that grants none: there, too, tickets are looked at.
  test('without full screen the film covers the page, and the tickets are looked at in it', async ({
    prepare,
    start,
  }) => {
    const evening = await prepare(
      but(oneTrip, { config: { frasi_pre_video: [] }, files: { video: LONG_FILM } }),
    );
    const code = await evening.code();
    const tab = await start(engine, { fullScreen: false });
    await enter(tab, evening.server.url, code.token);
    await startVideo(tab);
    expect(await tab.read('document.fullscreenEnabled ?? document.webkitFullscreenEnabled ?? false')).toBe(
      false,
    );
    await holds(tab, 'the film over the whole page', COVERS);
    await walkFromFilmToCard(tab);
    await lookAtTickets(tab, 'Guarda i biglietti');
    await downloadTickets(tab);
    await lookAtTickets(tab, 'Biglietti');
    await answer(tab, words.domanda_1, 'No');
    await answer(tab, words.domanda_2, 'No');
    await sees(tab, words.closing.entrambi_no);
    await lookAtTickets(tab, 'Biglietti');
    await pass(tab, 20);
    await expectOver(tab);
  });

  test('an interrupted network', async ({ prepare, start }) => {
    const evening = await prepare(oneTrip);
    const code = await evening.code();
    const network = await tcpProxy(Number(new URL(evening.server.url).port));
    try {
      const tab = await start(engine, { allowed: engine.withoutNetwork });
      await enter(tab, `http://127.0.0.1:${network.port}`, code.token);
      await sees(tab, words.pre[0]);
      network.set('cut');
      await phrases(tab, words.pre);
      await pass(tab, 8);
      network.set('pass');
      await startVideo(tab);
      await walkFromFilmToCard(tab);
      await holds(tab, 'the page of the tickets, fetched', "kit.hasFetched('.webp')");
      network.set('cut');
      await lookAtTickets(tab, 'Guarda i biglietti');
      network.set('pass');
      await downloadTickets(tab);
      network.set('cut');
      await answer(tab, words.domanda_1, 'Sì');
      await answer(tab, words.domanda_2, 'No');
      await sees(tab, "Errore nell'invio delle risposte");
      expect(await answersOf(evening)).toEqual([]);
      network.set('pass');
      await until(tab, 'the answers to be stored', async () => {
        await pass(tab, 2);
        return (await answersOf(evening)).length > 0;
      });
      await sees(tab, words.closing.misto);
      await pass(tab, 20);
      await expectOver(tab);
      expect(await answersOf(evening)).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: false }]);
      await expectOneUse(evening, code);
    } finally {
      await network.close();
    }
  });
}

/** From the code to the last phrase of a second trip. */
export function twoTripsWithTheSong(engine: Engine): void {
  test('two trips with the song', async ({ prepare, start }) => {
    const evening = await prepare(twoTrips);
    const code = await evening.code();
    const tab = await start(engine);
    await enter(tab, evening.server.url, code.token);
    await phrases(tab, words.pre);
    await startVideo(tab);
    await holds(tab, 'full screen', 'kit.been.fullScreen');
    await sees(tab, words.post[0]);
    await held(tab, async () => {
      await holds(tab, 'no full screen after the film', `!(${FULL_SCREEN})`);
      await holds(tab, 'the song', SONG_PLAYS);
    });
    await walkFromFilmToCard(tab);
    await downloadTickets(tab);
    await answer(tab, words.domanda_1, 'Sì');
    await answer(tab, words.domanda_2, 'Sì');
    await phrases(tab, [...words.between, ...words.second]);
    await pass(tab, 1);
    await destination(tab, 'Dolomiti');
    await tap(tab, 'Guarda i biglietti');
    await holds(tab, 'the second trip’s ticket', 'document.querySelector("dialog img")?.naturalWidth > 0');
    await closeTickets(tab);
    await downloadTickets(tab);
    await answer(tab, words.domanda_1_viaggio_2, 'No');
    await answer(tab, words.domanda_2_viaggio_2, 'Sì');
    await phrases(tab, words.final);
    await pass(tab, 3);
    await expectOver(tab);
    expect(await answersOf(evening)).toEqual([
      { viaggio: 1, risposta_1: true, risposta_2: true },
      { viaggio: 2, risposta_1: false, risposta_2: true },
    ]);
    expect(await sessionsOf(evening, code)).toMatchObject([
      { is_active: false, completed_at: expect.any(String) },
    ]);
  });
}

export function backAtEveryStage(engine: Engine): void {
  test('two presses of Back at every stage', async ({ prepare, start }) => {
    const evening = await prepare(but(twoTrips, { files: { video: LONG_FILM } }));
    const code = await evening.code();
    const tab = await start(engine);
    await enter(tab, evening.server.url, code.token);
    // The clock stands before anybody looks: what is seen is still there afterwards.
    const backAt = (text: string) =>
      held(tab, async () => {
        await comes(tab, text);
        await pressBackTwice(tab);
        await sees(tab, text);
      });
    await backAt(words.pre[0]);
    await phrases(tab, words.pre);
    await backAt('Inizia Esperienza');
    await startVideo(tab);
    await pressBackTwice(tab);
    await holds(tab, 'the film', PLAYS);
    await backAt(words.post[0]);
    await phrases(tab, words.post);
    await pass(tab, 1);
    await backAt('Lisbona');
    await pass(tab, 5);
    await backAt('3 marzo 2027');
    await downloadTickets(tab);
    await backAt(words.domanda_1);
    await answer(tab, words.domanda_1, 'Sì');
    await answer(tab, words.domanda_2, 'No');
    await backAt(words.between[0]);
    await phrases(tab, words.between);
    await backAt(words.second[0]);
    await phrases(tab, words.second);
    await pass(tab, 1);
    await backAt('Dolomiti');
    await pass(tab, 5);
    await backAt('La neve vera');
    await downloadTickets(tab);
    await backAt(words.domanda_1_viaggio_2);
    await answer(tab, words.domanda_1_viaggio_2, 'Sì');
    await answer(tab, words.domanda_2_viaggio_2, 'Sì');
    await backAt(words.final[0]);
    await phrases(tab, words.final);
    await pass(tab, 3);
    await expectOver(tab);
    await expectOneUse(evening, code);
  });
}

export function songThatStartsLater(engine: Engine): void {
  test('a song that starts later starts there, also when it begins again', async ({ prepare, start }) => {
    const evening = await prepare(but(oneTrip, { config: { frasi_pre_video: [] } }));
    const { versione } = await evening.admin.call<{ versione: number }>('GET', '/admin/config');
    const fields = { canzone_inizio_secondi: 2 };
    await evening.admin.call('PATCH', '/admin/config', { versione, fields });
    const code = await evening.code();
    const tab = await start(engine);
    await enter(tab, evening.server.url, code.token);
    await startVideo(tab);
    await tab.read(LISTEN);
    await sees(tab, words.post[0]);
    await holds(tab, 'the song', SONG_PLAYS);
    await holds(
      tab,
      'the song once more',
      `${SONG_PLAYS} && window.heard.ends > 0 && window.heard.after > 1`,
    );
    expect(await tab.read('window.heard.earliest')).toBeGreaterThan(1.9);
  });
}

/** Without it a silent engine would pass for a faultless page. */
export function hearing(engine: Engine): void {
  test('what goes wrong in the page is heard', async ({ prepare, start }) => {
    const evening = await prepare(oneTrip);
    const tab = await start(engine, { allowed: /./ });
    await tab.open(evening.server.url);
    await sees(tab, 'Una Sorpresa per Te');
    await tab.read(`(() => { console.error('said'); Promise.reject('left alone'); new Image().src = 'http://127.0.0.1:1/';
      setTimeout(() => { throw new Error('thrown'); }); })()`);
    // The clock goes on by itself: let go on by a script, what is thrown would be the script's.
    for (const error of [/said/, /unhandled: left alone/, /policy broken img-src/, /uncaught: .*thrown/])
      await until(tab, `an error like ${error}`, async () =>
        (await tab.errors()).some((each) => error.test(each)),
      );
  });
}

/** A channel that is just being opened when the code is revoked is refused, and Firefox says so. */
const REFUSED_CHANNEL = /\/api\/visit\/events/;
const FULL_SCREEN =
  '(document.fullscreenElement ?? document.webkitFullscreenElement)?.querySelector("video") instanceof HTMLVideoElement';
const COVERS = `(({ left, top, right, bottom }) => left <= 0 && top <= 0 && right >= innerWidth && bottom >= innerHeight)(
  document.querySelector('video').parentElement.getBoundingClientRect())`;
const SONG_PLAYS =
  '(({ paused, currentTime }) => !paused && currentTime > 0)(document.querySelector("audio"))';

/** Notes the earliest second of the song that is heard, how often it has ended, and how often it told its time since. */
const LISTEN = `(() => {
  const song = document.querySelector('audio');
  window.heard = { earliest: Infinity, ends: 0, after: 0 };
  song.addEventListener('timeupdate', () => {
    if (song.paused || song.seeking) return;
    window.heard.earliest = Math.min(window.heard.earliest, song.currentTime);
    if (window.heard.ends > 0) window.heard.after += 1;
  });
  song.addEventListener('ended', () => { window.heard.ends += 1; });
})()`;

/** Opens the tickets, sees a page drawn, and closes them again: the evening has waited. */
async function lookAtTickets(tab: Tab, button: string): Promise<void> {
  await tap(tab, button);
  await holds(
    tab,
    'the first page of the tickets, drawn',
    `(() => { const image = document.querySelector('dialog img[alt="Biglietti, pagina 1"]');
      const canvas = document.createElement('canvas');
      canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size > 2; })()`,
  );
  await pass(tab, 60);
  expect(await tab.read('document.querySelector("dialog img") !== null')).toBe(true);
  await closeTickets(tab);
}

/** The access screen again, as if nothing had been. */
async function expectOver(tab: Tab): Promise<void> {
  await holds(
    tab,
    'the access screen',
    'location.pathname === "/" && document.querySelector("input") !== null',
  );
}

async function expectOneUse(evening: Evening, code: { id: string; token: string }): Promise<void> {
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
  expect(await sessionsOf(evening, code)).toHaveLength(1);
}
