import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media.ts';
import { answersOf, eveningOn, sessionsOf, tokenRow } from '../e2e/support/evening.ts';
import { openPrepared } from '../e2e/support/prepared-folders.ts';
import { but, oneTrip, words } from '../e2e/support/surprises.ts';
import { planBFile, sealEvening } from '../support/plan-b.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import type { Engine, Tab } from './support/engine.ts';
import { answer, expectText, sendCode, tap, until, waitForCondition } from './support/steps.ts';
import { withKit } from './support/web-root.ts';

const [phrase, after] = [words.pre[0], words.post[0]];
/** The film of eight seconds is long enough for checks while it plays. The rest is short, because it runs in real time. */
const surprise = but(oneTrip, {
  config: {
    frasi_pre_video: [phrase],
    frasi: [after],
    frasi_finali: null,
    durata_immagine_destinazione_secondi: 2,
    canzone_inizio_secondi: 2,
  },
  files: { video: resolve(import.meta.dirname, '../fixtures/video-big.mp4') },
});
/** Timeout in ms: checking a code takes 64 MiB and four passes, on a busy machine. */
const CODE_TRIED_MS = 90_000;

const FILM = 'document.querySelector("video")';
const PLAYS = `!${FILM}.paused && ${FILM}.currentTime > 0`;
const TRACK = `${FILM}.textTracks[0]`;
const SONG_PLAYS =
  '(({ paused, currentTime }) => !paused && currentTime >= 1.9)(document.querySelector("audio"))';
const FULL_SCREEN = '(document.fullscreenElement ?? document.webkitFullscreenElement ?? null) !== null';
const PLACE = 'JSON.stringify([location.pathname, history.state?.idx, history.length])';

/** Tests what engines may do differently from Chromium, from the code to the evening in a file, in real time. */
export function walkEvening(engine: Engine): void {
  test('completes an evening on a failing network, and opens it as a file', async () => {
    const evening = eveningOn(await openPrepared(surprise, {}, inject('webRoot')));
    const { admin, server } = evening;
    const network = await tcpProxy(Number(new URL(server.url).port));
    const folder = await mkdtemp(join(tmpdir(), 'sorpresa-plan-b-'));
    let tab = await engine.start();
    onTestFinished(async () => {
      // A page that is open after its server stopped would log errors.
      await tab.close();
      await network.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });
    const [film] = await admin.call<MediaItem[]>('GET', '/admin/media/video');
    const captions = { text: '00:00 --> 01:00\nEra la nostra prima sera', mode: 'device' };
    await admin.call('POST', `/admin/media/video/${film?.id}/captions`, captions);
    const code = await evening.code();
    const asking = { url: server.url, cookie: server.session };
    await sealEvening(asking);
    const file = join(folder, 'piano-b.html');
    await writeFile(file, await withKit(String(await planBFile(asking))));

    const url = `http://127.0.0.1:${network.port}`;
    await tab.open(url);
    expect(await tab.read('matchMedia("(prefers-reduced-motion: reduce)").matches')).toBe(true);
    await sendCode(tab, code.token);
    await expectText(tab, phrase);
    await goBack(tab);
    await tap(tab, 'Inizia Esperienza');
    await waitForCondition(tab, 'the film, in full screen', 'kit.been.film && kit.been.fullScreen');
    await expectLocked(tab);
    await waitForCondition(tab, 'the captions to be there', `${FILM}.textTracks.length > 0`);
    // As the engine does automatically if captions are enabled.
    await tab.read(`${TRACK}.mode = "showing"`);
    await expectText(tab, captions.text.split('\n')[1] ?? '');
    await waitForCondition(tab, 'the captions, drawn by the page', `${TRACK}.mode === "hidden"`);
    const place = async () => (await sessionsOf(evening, code))[0]?.second;
    const second = await until(tab, 'the place in the film to be known', place);
    await tab.reload();
    await tap(tab, 'Inizia Esperienza');
    await waitForCondition(tab, 'the film where it was', `${PLAYS} && ${FILM}.currentTime >= ${second}`);

    await expectText(tab, after);
    await waitForCondition(tab, 'the song from its start point', SONG_PLAYS);
    expect(await tab.read(FULL_SCREEN)).toBe(false);
    await waitForCondition(tab, 'the page of the tickets, fetched', "kit.hasFetched('.webp')");
    network.set('cut');
    await lookAtTickets(tab);
    network.set('pass');
    await tap(tab, 'Scarica i biglietti');
    await expectText(tab, 'Download avviato!');
    await tab.returnFromDownload();
    network.set('cut');
    await answer(tab, words.domanda_1, 'Sì');
    await answer(tab, words.domanda_2, 'No');
    await expectText(tab, "Errore nell'invio delle risposte");
    expect(await answersOf(evening)).toEqual([]);
    network.set('pass');
    await waitForCondition(tab, 'the way back', 'location.pathname === "/"');
    expect(await answersOf(evening)).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: false }]);
    expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
    expect(await sessionsOf(evening, code)).toMatchObject([
      { is_active: false, completed_at: expect.any(String) },
    ]);

    expect((await tab.errors()).filter((error) => !engine.withoutNetwork.test(error))).toEqual([]);

    await tab.close();
    // A new browser: WebKit accepts no input on a page that follows the site in the same tab.
    tab = await engine.start();
    await tab.open(pathToFileURL(file).href);
    await sendCode(tab, code.token);
    await expectText(tab, phrase, CODE_TRIED_MS);
    await tap(tab, 'Inizia Esperienza');
    await waitForCondition(tab, 'the film out of the file', 'kit.been.film');
    const unforeseen = async () =>
      (await tab.errors()).filter((error) => !engine.withoutNetwork.test(error)).length;
    expect(await unforeseen()).toBe(0);
    // Checks the recording: without it, an engine with errors would pass.
    await tab.read('void Promise.reject("left alone")');
    await until(tab, 'an error to be heard', async () => (await unforeseen()) > 0);
  });
}

/** Presses Back as a thumb does, and checks that the page stays where it was. */
async function goBack(tab: Tab): Promise<void> {
  const before = await tab.read<string>(PLACE);
  const steps = await tab.read<number>('kit.been.steps');
  await tab.back();
  await waitForCondition(tab, 'Back to be felt', `kit.been.steps > ${steps}`);
  await waitForCondition(tab, 'the same place', `${PLACE} === ${JSON.stringify(before)}`);
}

/** Checks that a pause and a seek are undone. */
async function expectLocked(tab: Tab): Promise<void> {
  await tab.read(`${FILM}.pause()`);
  await waitForCondition(tab, 'the film to go on', PLAYS);
  await tab.read(`${FILM}.currentTime = 7`);
  await waitForCondition(tab, 'the film to be where it was', `${PLAYS} && ${FILM}.currentTime < 6`);
}

/** Opens the tickets, checks that a page is drawn, and closes them. */
async function lookAtTickets(tab: Tab): Promise<void> {
  await tap(tab, 'Guarda i biglietti');
  await waitForCondition(tab, 'the ticket, drawn', 'document.querySelector("dialog img")?.naturalWidth > 0');
  await tap(tab, 'Chiudi');
  await waitForCondition(tab, 'the tickets to be closed', 'document.querySelector("dialog") === null');
}
