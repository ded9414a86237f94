import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page, Request } from '@playwright/test';
import type { SlotName } from '../../src/domain/media-slots.ts';
import type { SceneName } from '../../src/domain/strip.ts';
import { destinationTextsTexts } from '../../src/texts/admin/content-forms.ts';
import { eventLabels } from '../../src/texts/admin/events.ts';
import { logsTexts } from '../../src/texts/admin/logs.ts';
import { tripMediaTexts } from '../../src/texts/admin/media.ts';
import { onlineTexts } from '../../src/texts/admin/online.ts';
import { answersTexts } from '../../src/texts/admin/questions.ts';
import { readinessTexts } from '../../src/texts/admin/readiness.ts';
import { sessionsTexts } from '../../src/texts/admin/sessions.ts';
import { slotTexts } from '../../src/texts/admin/slots.ts';
import { sceneAction, stripTexts } from '../../src/texts/admin/strip.ts';
import { closingIdeas, phraseIdeas, questionIdeas } from '../../src/texts/admin/suggestions.ts';
import { tokensTexts } from '../../src/texts/admin/tokens.ts';
import { uploadTexts } from '../../src/texts/admin/uploads.ts';
import { parseCsv } from '../support/csv.ts';
import { newFolder, startServer } from '../support/server.ts';
import { account } from './support/admin.ts';
import { heavyFilm, sha256Of } from './support/heavy-film.ts';
import { holdWork } from './support/held-work.ts';
import {
  addPhrases,
  onPage,
  told,
  upload,
  writeBoxes,
  writeButton,
  writeClosings,
  writeDates,
  writeInstruction,
  writeQuestions,
  writeSecondTrip,
  writeTitles,
} from './support/preparing.ts';
import { expect, test } from './support/stage.ts';
import { words } from './support/surprises.ts';
import { withPhone } from './support/visitor.ts';
import {
  answer,
  downloadTickets,
  phrases,
  sees,
  walkFromVideoToCard,
  walkSecondTrip,
} from './support/walk.ts';

/** The whole of it: an empty folder, an administrator who has never been here, a phone; and what remains afterwards. */

const MEGABYTES = 200;
/** Bytes a second while the film is sent, so that it can be cut on its way. */
const UPSTREAM = 25 * 1024 * 1024;

const BUTTON = 'Guarda, amore';

test('from an empty folder to the last line of the CSV, by clicks alone', { tag: '@long' }, async ({
  page,
  browser,
  quiet,
}) => {
  test.setTimeout(600_000);
  quiet.allow(/ERR_INTERNET_DISCONNECTED/);
  const dataDir = await newFolder();
  const server = await startServer({ dataDir });
  const film = await heavyFilm(join(dataDir, 'film di Giulia.mp4'), MEGABYTES);
  try {
    await register(page, server.url);
    await onPage(page, '/admin/video', async () => {
      const held = holdWork(server);
      await sendFilmInTwoParts(page, film.path);
      expect(await sha256Of(await held.begun)).toBe(film.sha256);
      held.letGo();
      await told(page, slotTexts.video.uploaded);
    });
    await tellTheStory(page);
    await tellTheSecondTrip(page);
    const code = await makeCode(page);
    await onPage(page, '/admin/preview', () => rehearse(page));

    await withPhone(browser, async (phone) => {
      await phone.goto(server.url);
      await liveTheEvening(phone, code);
      await expect(phone).toHaveURL(`${server.url}/`);
    });

    await seeWhatRemains(page, code);
  } finally {
    await page.close();
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
});

test('on a phone, from an empty folder to a handed-over code, by the one button alone', async ({ page }) => {
  test.slow();
  // A notice that slides in between a press and its release would take the press.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const dataDir = await newFolder();
  const server = await startServer({ dataDir });
  const { count, tap, write, file, idea } = hand(page);
  try {
    await page.goto(`${server.url}/admin`);
    await write('E-mail', account.email);
    await write('Password', account.password);
    await tap(page.getByRole('button', { name: 'Registrati', exact: true }));
    // The first of the pieces: from here on nothing but «Avanti» leads anywhere.
    await tap(page.getByRole('link', { name: sceneAction({ name: 'pre_phrases', viaggio: 1 }) }));
    await idea([phraseIdeas.frasi_pre_video[0]]);
    await onward('video');
    await file('video', 'video-3s.mp4');
    await onward('song');
    await file('canzone', 'song.mp3');
    await onward('phrases');
    await idea([phraseIdeas.frasi[0]]);
    await onward('destination');
    await file('immagine', 'picture.jpg');
    await file('biglietti', 'ticket.pdf');
    await write(destinationTextsTexts.titolo_destinazione, 'Lisbona');
    await write(destinationTextsTexts.titolo_viaggio, 'Tre giorni a Lisbona');
    await write(tripMediaTexts.departure, '3 marzo 2027');
    await write(tripMediaTexts.return, '6 marzo 2027');
    await onward('questions');
    await idea(questionIdeas[1][0]);
    await onward('closing');
    for (const outcome of ['entrambi_si', 'entrambi_no', 'misto'] as const)
      await idea([closingIdeas[outcome][0]]);
    await onward('code');
    // A field that is wanted has a star in its name.
    await write(`${tokensTexts.create.nome} *`, 'Giulia');
    await tap(page.getByRole('button', { name: tokensTexts.create.submit }));
    await told(page, tokensTexts.create.created);
    await expect(page.getByText(/ROM-[0-9A-Z]{8}/).first()).toBeVisible();
    // Nothing is left to be made: the path leads home, and there to where it is brought online, which this machine's address isn't.
    const home = page.getByRole('link', { name: new RegExp(`^${stripTexts.home}`) });
    await expect(home).toBeVisible();
    expect(count).toEqual({ taps: 20, fields: 7, files: 4, pages: 7 });
    await home.tap();
    await expect(page.getByRole('heading', { name: stripTexts.nearly(null) })).toBeVisible();
    await expect(page.getByRole('link', { name: readinessTexts.handOver })).toHaveCount(0);
    await page.getByRole('link', { name: onlineTexts.notices.lead, exact: true }).tap();
    await expect(page).toHaveURL(`${server.url}/admin/rete`);
  } finally {
    await page.close();
    await server.stop();
    await rm(dataDir, { recursive: true });
  }

  /** Follows «Avanti» to the piece that it names, once the one before is known to be there. */
  async function onward(name: SceneName): Promise<void> {
    await tap(
      page.getByRole('link', { name: new RegExp(`^${stripTexts.onwardTo({ name, viaggio: 1 })}\\.`) }),
    );
    count.pages += 1;
  }
});

/** What somebody does who prepares, counted: taps, fields that are written in, files that are chosen, pages that were gone to by the path. */
function hand(page: Page) {
  const count = { taps: 0, fields: 0, files: 0, pages: 0 };
  const tap = async (what: Locator) => {
    await what.tap();
    count.taps += 1;
  };
  return {
    count,
    tap,
    async write(label: string, text: string) {
      await page.getByLabel(label, { exact: true }).fill(text);
      count.fields += 1;
    },
    /** Chooses a file, for which one taps once, and waits until it is kept. */
    async file(slot: SlotName, name: string) {
      await upload(page, slot, name);
      count.taps += 1;
      count.files += 1;
    },
    /** Takes an idea, and waits until its lines stand in fields. */
    async idea(lines: readonly (string | undefined)[] = [undefined]) {
      await tap(page.getByRole('button', { name: lines.join(' '), exact: true }));
      const written = () =>
        page
          .locator('textarea')
          .evaluateAll((all) =>
            all.map((field) => (field instanceof HTMLTextAreaElement ? field.value : '')),
          );
      await expect.poll(written).toEqual(expect.arrayContaining([...lines]));
    },
  };
}

async function register(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/admin`);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Registrati', exact: true }).click();
  await told(page, 'Registrazione completata! Accesso effettuato.');
  await expect(page).toHaveURL(`${url}/admin/dashboard`);
}

/** The network goes away at 40 %, the page is closed and opened again, and what had arrived is not sent twice. */
async function sendFilmInTwoParts(page: Page, path: string): Promise<void> {
  const { title } = slotTexts.video;
  const chooser = page.getByLabel(uploadTexts.field(title));
  const network = await networkOf(page);
  await network({ uploadThroughput: UPSTREAM });
  await chooser.setInputFiles(path);
  const bar = page.getByRole('progressbar', { name: uploadTexts.progressLabel('film di Giulia.mp4') });
  await expect
    .poll(async () => Number(await bar.getAttribute('aria-valuenow')), { timeout: 60_000 })
    .toBeGreaterThanOrEqual(40);
  await expect(page.getByText(/al secondo|\/s/).first()).toBeVisible();
  await network({ offline: true });
  await expect(page.getByText(uploadTexts.waiting)).toBeVisible();

  page.once('dialog', (dialog) => void dialog.accept());
  const opened = page.waitForEvent('load');
  await network({ uploadThroughput: UPSTREAM });
  await page.reload();
  await opened;
  const offsets: number[] = [];
  page.on('request', (request: Request) => {
    const offset = request.headers()['upload-offset'];
    if (request.method() === 'PATCH' && offset !== undefined) offsets.push(Number(offset));
  });
  await expect(page.getByText(uploadTexts.resume('film di Giulia.mp4'))).toBeVisible();
  await network({});
  await chooser.setInputFiles(path);
  await expect(page.getByText(uploadTexts.mayClose)).toBeVisible({ timeout: 120_000 });
  expect(offsets[0]).toBeGreaterThan(MEGABYTES * 1024 * 1024 * 0.3);
}

/** The page's network, to be slowed down and cut; an empty object is the real one. */
async function networkOf(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const real = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  return (change: Partial<typeof real>) =>
    devtools.send('Network.emulateNetworkConditions', { ...real, ...change });
}

async function tellTheStory(page: Page): Promise<void> {
  await onPage(page, '/admin/video-button', () => writeButton(page, BUTTON));
  await onPage(page, '/admin/frasi', async () => {
    await addPhrases(page, 'frasi_pre_video', words.pre);
    await addPhrases(page, 'frasi', words.post);
  });
  await onPage(page, '/admin/musica', () => upload(page, 'canzone', 'song.mp3'));
  await onPage(page, '/admin/immagine', async () => {
    await upload(page, 'immagine', 'picture.jpg');
    await writeTitles(page, 'Lisbona', 'Tre giorni a Lisbona');
    await upload(page, 'biglietti', 'ticket.pdf');
    await writeInstruction(page, 'Poi torna qui.');
    await writeDates(page, '3 marzo 2027', '6 marzo 2027');
  });
  await onPage(page, '/admin/checkbox', () => writeQuestions(page, 1, [words.domanda_1, words.domanda_2]));
  await onPage(page, '/admin/frasi-finali', () => writeClosings(page, words.closing));
}

async function tellTheSecondTrip(page: Page): Promise<void> {
  await onPage(page, '/admin/intermediate-phrases', () =>
    writeBoxes(page, words.between, 'Frasi salvate con successo!'),
  );
  await onPage(page, '/admin/second-trip-phrases', () =>
    writeBoxes(page, words.second, 'Frasi del secondo viaggio salvate con successo'),
  );
  await onPage(page, '/admin/second-trip-details', async () => {
    await upload(page, 'immagine_2', 'picture.jpg');
    await upload(page, 'biglietti_2', 'ticket.png');
    await writeSecondTrip(page, 'Dolomiti', 'La neve vera');
  });
  await onPage(page, '/admin/second-trip-checkbox', () =>
    writeQuestions(page, 2, [words.domanda_1_viaggio_2, words.domanda_2_viaggio_2]),
  );
  await onPage(page, '/admin/second-trip-final-phrases', () =>
    writeBoxes(page, words.final, 'Frasi finali salvate con successo'),
  );
}

async function makeCode(page: Page): Promise<string> {
  let code = '';
  await onPage(page, '/admin/token', async () => {
    await page.getByLabel(tokensTexts.create.nome).fill('Giulia');
    await page.getByRole('button', { name: tokensTexts.create.submit }).click();
    await told(page, tokensTexts.create.created);
    code =
      (await page
        .getByText(/ROM-[0-9A-Z]{8}/)
        .first()
        .textContent()) ?? '';
  });
  return /ROM-[0-9A-Z]{8}/.exec(code)?.[0] ?? '';
}

/** Skipping what can be skipped, on the administrator's own screen. */
async function rehearse(page: Page): Promise<void> {
  const skip = page.getByRole('button', { name: 'Salta' });
  await page.getByRole('link', { name: 'Prova su questo schermo' }).click();
  await sees(page, words.pre[0]);
  await skip.click();
  await expect(page.getByRole('button', { name: BUTTON })).toBeVisible();
  await skip.click();
  await sees(page, words.post[0]);
  await skip.click();
  await expect(page.getByRole('heading', { name: 'Lisbona' })).toBeVisible();
  await skip.click();
  await expect(page.getByText('Poi torna qui.')).toBeVisible();
  await skip.click();
  await answer(page, words.domanda_1, 'No');
  await answer(page, words.domanda_2, 'No');
  await sees(page, words.between[0]);
  await skip.click();
  await sees(page, words.second[0]);
  await skip.click();
  await expect(page.getByRole('heading', { name: 'Dolomiti' })).toBeVisible();
  await skip.click();
  await expect(page.getByRole('heading', { name: 'La neve vera' })).toBeVisible();
  await skip.click();
  await answer(page, words.domanda_1_viaggio_2, 'No');
  await answer(page, words.domanda_2_viaggio_2, 'No');
  await sees(page, words.final[0]);
  await skip.click();
  await expect(page.getByRole('heading', { name: 'Prova finita' })).toBeVisible();
  await page.getByRole('button', { name: 'Esci' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Anteprima Configurazione' })).toBeVisible();
}

async function liveTheEvening(phone: Page, code: string): Promise<void> {
  await phone.getByPlaceholder('Il tuo codice').fill(code.toLowerCase());
  await phone.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
  await phrases(phone, words.pre);
  await walkFromVideoToCard(phone, BUTTON);
  await expect(phone.getByText('Poi torna qui.')).toBeVisible();
  await downloadTickets(phone);
  await answer(phone, words.domanda_1, 'Sì');
  await answer(phone, words.domanda_2, 'No');
  await walkSecondTrip(phone);
  await answer(phone, words.domanda_1_viaggio_2, 'Sì');
  await answer(phone, words.domanda_2_viaggio_2, 'Sì');
  await phrases(phone, words.final);
  await phone.clock.runFor(3_000);
}

/** The administrator's records hold exactly this one evening; the rehearsal left nothing. */
async function seeWhatRemains(page: Page, code: string): Promise<void> {
  await onPage(page, '/admin/checkbox', async () => {
    const answers = page.getByRole('listitem').filter({ hasText: code });
    await expect(answers).toHaveCount(2);
    const first = answers.filter({ hasText: answersTexts.trips[1] });
    await expect(first.getByRole('definition')).toHaveText(['Sì', 'No']);
    const second = answers.filter({ hasText: answersTexts.trips[2] });
    await expect(second.getByRole('definition')).toHaveText(['Sì', 'Sì']);
  });
  await onPage(page, '/admin/sessions', async () => {
    await expect(page.getByText(sessionsTexts.endedCount(1))).toBeVisible();
    await expect(page.getByText(sessionsTexts.activeCount(0))).toBeVisible();
    await expect(page.getByText(sessionsTexts.completed)).toBeVisible();
    await expect(page.getByText(code).first()).toBeVisible();
  });
  const hers = ['session_ended', 'session_started', 'access_granted', 'token_created'] as const;
  const kinds = [...hers, 'admin_signed_in'] as const;
  await onPage(page, '/admin/logs', async () => {
    await expect(page.getByText(logsTexts.count(kinds.length))).toBeVisible();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: logsTexts.export }).click();
    const download = await saved;
    await told(page, logsTexts.exported);
    expect(download.suggestedFilename()).toMatch(/^event_logs_\d{4}-\d{2}-\d{2}\.csv$/);
    const [, ...rows] = parseCsv(await readFile(await download.path(), 'utf8'));
    expect(rows.map((row) => row[1]).toSorted()).toEqual(kinds.map((kind) => eventLabels[kind]).toSorted());
    expect(new Set(rows.map((row) => row[2]))).toEqual(new Set([code, 'N/A']));
  });
}
