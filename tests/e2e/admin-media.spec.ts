import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page, Route } from '@playwright/test';
import type { MediaItem } from '../../src/contract/admin/media.ts';
import type { SlotName } from '../../src/domain/media-slots.ts';
import { newFolder } from '../support/server.ts';
import { filmOf } from '../support/uploads.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { account, endAdminSessions, expect, laptop, test, type Workshop } from './support/admin.ts';

/** The pages of the surprise's files: video, picture and tickets of both trips, song. By real clicks and real bytes. */

const fixture = (name: string) => resolve(import.meta.dirname, '../fixtures', name);
const MB = 1024 ** 2;

const VIDEO = 'File: Il video';
const IMAGE = 'File: Immagine della destinazione';
const TICKETS = 'File: Biglietti';
const SONG = 'File: La canzone';

function notice(page: Page, text: string) {
  return page.locator('[data-sonner-toast]').filter({ hasText: text });
}

/** Reads the notice, and takes it away: the next one may say the same. */
async function told(page: Page, text: string): Promise<void> {
  await expect(notice(page, text).first()).toBeVisible({ timeout: 20_000 });
}

async function upload(page: Page, field: string, button: string, file: string): Promise<void> {
  await page.getByLabel(field).setInputFiles(file);
  await page.getByRole('button', { name: button }).click();
}

const listed = ({ admin }: Workshop, slot: SlotName) =>
  admin.call<MediaItem[]>('GET', `/admin/media/${slot}`);
const config = ({ admin }: Workshop) => admin.call<Record<string, unknown>>('GET', '/admin/config');
const card = (page: Page, nome: string) => page.getByRole('listitem').filter({ hasText: nome });
const dialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });

/** What is on its way on the server, by the names of its files. */
const arriving = ({ server }: Workshop) => readdir(join(server.deps.env.DATA_DIR, 'uploads'));

test('a video: chosen, kept with its poster, used, slowed down, deleted', async ({ page, workshop }) => {
  await workshop.open('/admin/video');
  await expect(page.getByText('Carica il primo: diventa subito quello della sorpresa.')).toBeVisible();
  await page.getByRole('button', { name: 'Carica video' }).click();
  await told(page, 'Seleziona un video');
  await page.getByLabel(VIDEO).setInputFiles(fixture('picture.jpg'));
  await told(page, 'Questo file non è un video MP4.');

  await upload(page, VIDEO, 'Carica video', fixture('video-3s.mp4'));
  await told(page, 'Video caricato e salvato!');
  await expect(card(page, 'video-3s.mp4').getByText('Attivo')).toBeVisible();
  await expect(card(page, 'video-3s.mp4')).toContainText(/44,8 kB · Caricato il \d+ \p{L}+ \d{4}/u);
  const player = card(page, 'video-3s.mp4').getByLabel('Video: video-3s.mp4');
  await expect(player).toHaveAttribute('poster', /^\/api\/media\/[0-9a-f]{32}\.jpg$/);
  const drawn = await player.getAttribute('poster');
  await expect(page.frameLocator('iframe').locator(`img[src="${drawn}"]`)).toBeVisible();
  await expect(page.frameLocator('iframe').getByText('Inizia Esperienza')).toBeVisible();

  await upload(page, VIDEO, 'Carica video', fixture('media/silent.mp4'));
  await expect(card(page, 'silent.mp4').getByText('Questo video non ha audio')).toBeVisible();
  await expect(card(page, 'silent.mp4').getByText('Attivo')).toHaveCount(0);
  await page.getByRole('button', { name: 'Usa silent.mp4' }).click();
  await told(page, 'Video selezionato come attivo!');
  await expect(card(page, 'silent.mp4').getByText('Attivo')).toBeVisible();
  const [silent, first] = await listed(workshop, 'video');
  expect(await config(workshop)).toMatchObject({ video_url: silent?.url });

  await player.evaluate((video: HTMLVideoElement) => {
    video.currentTime = 2;
    return new Promise((done) => video.addEventListener('seeked', done, { once: true }));
  });
  await card(page, 'video-3s.mp4')
    .getByRole('button', { name: 'Usa questo fotogramma come copertina' })
    .click();
  await told(page, 'Copertina salvata');
  await expect(player).not.toHaveAttribute('poster', String(first?.poster_url));

  await page.getByLabel('Velocità di riproduzione').selectOption('1.5');
  await told(page, 'Velocità video salvata!');
  expect(await config(workshop)).toMatchObject({ video_playback_rate: 1.5, video_url: silent?.url });

  await page.getByRole('button', { name: 'Elimina silent.mp4' }).click();
  const question = dialog(page, 'Sei sicuro di voler eliminare questo video?');
  await expect(question).toContainText('È il video attivo');
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(question).toBeHidden();
  expect(await listed(workshop, 'video')).toHaveLength(2);
  await page.getByRole('button', { name: 'Elimina silent.mp4' }).click();
  await question.getByRole('button', { name: 'Elimina' }).click();
  await told(page, 'Video eliminato');
  await expect(card(page, 'silent.mp4')).toHaveCount(0);
  expect(await config(workshop)).toMatchObject({ video_url: null });
  expect(await listed(workshop, 'video')).toHaveLength(1);
});

test('an upload cut by the network goes on by itself, and after a reload with the same file', async ({
  page,
  context,
  workshop,
  quiet,
}) => {
  quiet.allow(/net::ERR_/);
  const bytes = await filmOf(25 * MB);
  const folder = await newFolder();
  const film = join(folder, 'vacanze.mp4');
  await writeFile(film, bytes);
  const line = await lineThrough(page);
  await workshop.open('/admin/video');

  line.beforeChunk(1, async (route) => {
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await upload(page, VIDEO, 'Carica video', film);
  const panel = page.getByRole('region', { name: 'Caricamento di vacanze.mp4' });
  await expect(panel.getByText('In attesa della rete: riprende da solo.')).toBeVisible();
  await expect(panel.getByText('20% · 5 MB di 25 MB')).toBeVisible();

  // Meanwhile another page; the network comes back, and the line is cut for good at 40 %.
  await page.getByRole('button', { name: 'Apri il menu' }).click();
  line.beforeChunk(2, (route) => route.abort('connectionreset'));
  await context.setOffline(false);
  await page.getByRole('dialog').getByRole('link', { name: 'Musica' }).click();
  const corner = page.getByRole('complementary', { name: 'Caricamenti in corso' });
  await expect(corner.getByText('vacanze.mp4: in attesa della rete')).toBeVisible();
  await corner.getByRole('link').click();
  await expect(panel.getByText('40% · 10 MB di 25 MB')).toBeVisible();

  // Leaving asks.
  const asked = page.waitForEvent('dialog').then((leaving) => leaving.accept().then(() => leaving.type()));
  await page.reload();
  expect(await asked).toBe('beforeunload');
  await expect(
    page.getByText('Riprendi il caricamento di vacanze.mp4: scegli di nuovo lo stesso file.'),
  ).toBeVisible();
  await expect(page.getByText('Era arrivato al 40%.')).toBeVisible();

  line.free();
  await page.getByLabel(VIDEO).setInputFiles(film);
  await told(page, 'Video caricato e salvato!');
  expect(line.resumedAt()).toBe(10 * MB);
  await expect(page.getByText('Riprendi il caricamento')).toHaveCount(0);
  await expect(card(page, 'vacanze.mp4').getByText('Attivo')).toBeVisible();
  const [kept] = await listed(workshop, 'video');
  const stored = await readFile(join(workshop.server.deps.env.DATA_DIR, 'media', basenameOf(kept?.url)));
  expect(sha256(stored)).toBe(sha256(bytes));
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tus')))).toEqual(
    [],
  );
});

test('an upload that is cancelled frees what it took, after a question', async ({
  page,
  workshop,
  quiet,
}) => {
  quiet.allow(/net::ERR_/);
  const film = join(await newFolder(), 'lungo.mp4');
  await writeFile(film, await filmOf(25 * MB));
  const line = await lineThrough(page);
  await workshop.open('/admin/video');
  line.beforeChunk(2, (route) => route.abort('connectionreset'));
  await upload(page, VIDEO, 'Carica video', film);
  const panel = page.getByRole('region', { name: 'Caricamento di lungo.mp4' });
  await expect(panel.getByText('In attesa della rete')).toBeVisible();
  expect(await arriving(workshop)).not.toEqual([]);
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);

  await panel.getByRole('button', { name: 'Annulla' }).click();
  const question = dialog(page, 'Interrompere il caricamento?');
  await expect(question).toContainText('Quello che è già arrivato di lungo.mp4 (40%) va perso.');
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(panel).toBeVisible();
  await panel.getByRole('button', { name: 'Annulla' }).click();
  await question.getByRole('button', { name: 'Interrompi' }).click();
  await expect(panel).toHaveCount(0);
  await expect.poll(() => arriving(workshop)).toEqual([]);
  await page.reload();
  await expect(page.getByText('Nessun video', { exact: true })).toBeVisible();
  await expect(page.getByText('Riprendi il caricamento')).toHaveCount(0);
});

test('files that are not wanted get their sentence, and it stays until it is read', async ({
  page,
  workshop,
}) => {
  await workshop.open('/admin/video');
  await upload(page, VIDEO, 'Carica video', fixture('media/hevc-hvc1.mp4'));
  const refused = page.getByRole('alert').filter({ hasText: 'hevc-hvc1.mp4 non è stato accettato' });
  await expect(refused).toContainText('Questo video è in formato HEVC (H.265)');
  await told(page, 'Questo video è in formato HEVC (H.265)');
  await page.getByRole('button', { name: 'Apri il menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Immagine, biglietti e date' }).click();

  const folder = await newFolder();
  const large = join(folder, 'enorme.jpg');
  await writeFile(large, Buffer.alloc(21 * MB));
  await page.getByLabel(IMAGE).setInputFiles(large);
  await told(page, 'Il file è troppo grande: è di 21 MB e può essere al massimo di 20 MB.');
  await page
    .getByLabel(IMAGE)
    .setInputFiles({ name: 'foto.heic', mimeType: 'image/heic', buffer: Buffer.from('x') });
  await told(page, 'Questa foto è in formato HEIC (iPhone).');
  await page.getByLabel(TICKETS).setInputFiles(fixture('song.mp3'));
  await told(page, 'Questo file non è un PDF, un PNG o un JPEG.');
  // A film that calls itself a picture passes here; the server reads its bytes.
  const disguised = join(folder, 'mare.png');
  await writeFile(disguised, await readFile(fixture('video-3s.mp4')));
  await upload(page, IMAGE, 'Carica immagine', disguised);
  await expect(page.getByRole('alert').filter({ hasText: 'mare.png non è stato accettato' })).toBeVisible();
  expect(await listed(workshop, 'immagine')).toEqual([]);

  await page.getByRole('complementary', { name: 'Caricamenti in corso' }).getByRole('link').click();
  await refused.getByRole('button', { name: 'Ho capito' }).click();
  await expect(refused).toHaveCount(0);
  expect(await listed(workshop, 'video')).toEqual([]);
  expect(await arriving(workshop)).not.toContainEqual(expect.stringMatching(/^[0-9a-f]{32}$/));
});

test('what goes wrong on the video page has the sentences of the specification', async ({
  page,
  workshop,
  quiet,
}) => {
  quiet.allow(/status of 5\d\d/);
  await workshop.open('/admin/video');
  await upload(page, VIDEO, 'Carica video', fixture('video-3s.mp4'));
  await told(page, 'Video caricato e salvato!');
  await upload(page, VIDEO, 'Carica video', fixture('media/silent.mp4'));
  await expect(card(page, 'silent.mp4')).toBeVisible();

  const broken = (route: Route) =>
    route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Oops</h1>' });
  await page.route('**/api/admin/media/video/**', broken);
  await page.getByRole('button', { name: 'Usa silent.mp4' }).click();
  await told(page, 'Errore durante la selezione');
  await page.getByRole('button', { name: 'Elimina silent.mp4' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click();
  await told(page, "Errore durante l'eliminazione");
  await page.route('**/api/admin/uploads', broken);
  await upload(page, VIDEO, 'Carica video', fixture('media/good.mp4'));
  await told(page, "Errore durante l'upload");
  await page.unroute('**/api/admin/uploads', broken);
  await page.getByRole('button', { name: 'Riprova' }).click();
  await expect(card(page, 'good.mp4')).toBeVisible();

  await page.route('**/api/admin/config', broken);
  await page.getByLabel('Velocità di riproduzione').selectOption('0.5');
  await told(page, 'Errore durante il salvataggio');
  await expect(page.getByLabel('Velocità di riproduzione')).toHaveValue('1');
  await page.unrouteAll();
  await page.route('**/api/admin/media/video', broken);
  await page.reload();
  await told(page, 'Errore nel caricamento dei video');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Riprova' }).click();
  await expect(card(page, 'good.mp4')).toBeVisible();
});

test.describe('on a laptop', () => {
  test.use(laptop);

  test('a picture by keyboard alone, and what she will see of it', async ({ page, workshop }) => {
    await workshop.open('/admin/biglietti');
    await page.getByRole('button', { name: 'Carica immagine' }).click();
    await told(page, "Seleziona un'immagine destinazione");
    await page.getByRole('button', { name: 'Scegli un’immagine' }).focus();
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
    await chooser.setFiles(fixture('picture.jpg'));
    await expect(page.getByText('picture.jpg · 87,9 kB')).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Carica immagine' })).toBeFocused();
    await page.keyboard.press('Enter');
    await told(page, 'Immagine caricata e salvata!');
    await expect(card(page, 'picture.jpg').getByText('Attivo')).toBeVisible();
    const [image] = await listed(workshop, 'immagine');
    const phone = page.frameLocator('iframe').first();
    await expect(phone.locator(`img[src="${image?.url}"]`)).toBeVisible();
    await expect(phone.getByText('Il Nostro Viaggio')).toBeVisible();

    await page.getByRole('button', { name: 'Elimina picture.jpg' }).click();
    const sure = dialog(page, 'Sei sicuro di voler eliminare questa immagine?');
    await sure.getByRole('button', { name: 'Annulla' }).click();
    await expect(sure).toBeHidden();
    await page.getByRole('button', { name: 'Elimina picture.jpg' }).click();
    await sure.getByRole('button', { name: 'Elimina' }).click();
    await told(page, 'Immagine eliminata');
    expect(await config(workshop)).toMatchObject({ immagine_destinazione_url: null });
    expect(await listed(workshop, 'immagine')).toEqual([]);
    await expect(phone.getByText('Ancora nessuna immagine')).toBeAttached();
  });

  test('tickets and dates, and the boarding pass they make', async ({ page, workshop }) => {
    await workshop.open('/admin/biglietti');
    await page.getByRole('button', { name: 'Carica biglietti' }).click();
    await told(page, 'Seleziona un file biglietti (PDF o PNG)');
    await upload(page, TICKETS, 'Carica biglietti', fixture('ticket.pdf'));
    await told(page, 'Biglietto caricato e salvato!');
    const ticket = card(page, 'ticket.pdf');
    const view = ticket.getByRole('link', { name: /^Visualizza File/ });
    await expect(view).toHaveAttribute('target', '_blank');
    await expect(view).toHaveAttribute('href', /^\/api\/media\/[0-9a-f]{32}\.pdf$/);
    await upload(page, TICKETS, 'Carica biglietti', fixture('ticket.png'));
    await expect(card(page, 'ticket.png').getByText('Attivo')).toBeVisible();
    await page.getByRole('button', { name: 'Usa ticket.pdf' }).click();
    await expect(ticket.getByText('Attivo')).toBeVisible();

    await page.getByLabel('Data di partenza').fill('15 Dicembre 2026');
    await page.getByLabel('Data di ritorno').fill('22 Dicembre 2026');
    const pass = page.frameLocator('iframe').last();
    await expect(pass.getByText('22 Dicembre 2026')).toBeVisible();
    await page.getByRole('button', { name: 'Salva', exact: true }).click();
    await told(page, 'Date salvate con successo!');
    const [, pdf] = await listed(workshop, 'biglietti');
    expect(await config(workshop)).toMatchObject({
      biglietti_url: pdf?.url,
      data_partenza: '15 Dicembre 2026',
      data_ritorno: '22 Dicembre 2026',
    });

    await page.getByRole('button', { name: 'Elimina ticket.pdf' }).click();
    await dialog(page, 'Sei sicuro di voler eliminare questo biglietto?')
      .getByRole('button', { name: 'Elimina' })
      .click();
    await told(page, 'Biglietto eliminato');
    expect(await config(workshop)).toMatchObject({ biglietti_url: null });
  });

  test('a session that ends during an upload asks to sign in, and the upload goes on', async ({
    page,
    workshop,
  }) => {
    await workshop.open('/admin/immagine');
    await page.getByLabel(IMAGE).setInputFiles(fixture('picture.jpg'));
    await endSessionBeforeUpload(page, workshop);
    await page.getByRole('button', { name: 'Carica immagine' }).click();
    const again = dialog(page, 'Sessione scaduta');
    await again.getByLabel('Password').fill(account.password);
    await again.getByRole('button', { name: 'Accedi' }).click();
    await told(page, 'Immagine caricata e salvata!');
  });
});

test('the second trip: picture, tickets, titles, dates and instructions', async ({
  page,
  workshop,
  quiet,
}) => {
  quiet.allow(/status of 5\d\d/);
  await workshop.open('/admin/second-trip-details');
  await upload(page, 'File: Immagine del secondo viaggio', 'Carica immagine', fixture('picture.jpg'));
  await told(page, '✅ Immagine secondo viaggio caricata!');
  await upload(page, 'File: Biglietti del secondo viaggio', 'Carica biglietti', fixture('ticket.png'));
  await told(page, '✅ Biglietto secondo viaggio caricato!');
  await expect(card(page, 'ticket.png').getByRole('link', { name: /^Visualizza File/ })).toBeVisible();
  const [image] = await listed(workshop, 'immagine_2');
  const [tickets] = await listed(workshop, 'biglietti_2');
  expect([image?.tipo, tickets?.tipo]).toEqual(['secondo_viaggio', 'secondo_viaggio']);

  await page.getByLabel('Titolo seconda destinazione').fill('Dolomiti');
  await page.getByLabel('Titolo secondo viaggio').fill('La neve vera');
  await page.getByLabel('Data di partenza').fill('4 dicembre 2027');
  await page.getByLabel('Data di ritorno').fill('8 dicembre 2027');
  await page.getByLabel('Testo istruzioni biglietti').fill('Porta i guanti');
  await expect(page.frameLocator('iframe').first().getByText('La neve vera')).toBeAttached();
  await expect(page.frameLocator('iframe').last().getByText('Porta i guanti')).toBeAttached();
  const broken = (route: Route) =>
    route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Oops</h1>' });
  await page.route('**/api/admin/config', broken);
  await page.getByRole('button', { name: 'Salva', exact: true }).click();
  await told(page, 'Impossibile salvare i dettagli');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Salva', exact: true }).click();
  await told(page, 'Dettagli secondo viaggio salvati con successo');
  expect(await config(workshop)).toMatchObject({
    immagine_destinazione_url_2: image?.url,
    biglietti_url_2: tickets?.url,
    titolo_destinazione_2: 'Dolomiti',
    titolo_viaggio_2: 'La neve vera',
    data_partenza_2: '4 dicembre 2027',
    data_ritorno_2: '8 dicembre 2027',
    testo_istruzioni_biglietti_2: 'Porta i guanti',
  });

  await page.getByRole('button', { name: 'Elimina picture.jpg' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click();
  await told(page, 'Immagine eliminata');
  expect(await config(workshop)).toMatchObject({ immagine_destinazione_url_2: null });
});

test('the second trip that cannot be read: the configuration says so, the lists only to the console', async ({
  page,
  workshop,
  quiet,
}) => {
  quiet.allow(/status of 5\d\d/);
  const broken = (route: Route) =>
    route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Oops</h1>' });
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.route('**/api/admin/media/*_2', broken);
  await workshop.open('/admin/second-trip-details');
  await expect(page.getByText('Elenco non disponibile')).toHaveCount(2, { timeout: 20_000 });
  expect(logged.filter((line) => line.startsWith('Elenco non disponibile'))).toHaveLength(2);
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);

  await page.route('**/api/admin/config', broken);
  await page.reload();
  await told(page, 'Impossibile caricare la configurazione');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Riprova' }).click();
  await expect(page.getByLabel('Titolo seconda destinazione')).toBeVisible();
});

test('the song: heard, paused, stopped at its end, deleted', async ({ page, workshop }) => {
  await workshop.open('/admin/musica');
  await expect(page.getByText('La canzone parte da sola alla fine del video.')).toBeVisible();
  await expect(page.getByText('Sfuma quando vengono inviate le risposte.')).toBeVisible();
  await expect(page.getByText('MP3, WAV, OGG (max 50MB)')).toBeVisible();
  await page.getByLabel(SONG).setInputFiles(fixture('picture.jpg'));
  await told(page, 'Seleziona un file audio valido');
  await drop(page, fixture('song.mp3'));
  await told(page, 'Canzone caricata con successo');
  const [song] = await listed(workshop, 'canzone');
  expect(await config(workshop)).toMatchObject({ canzone_url: song?.url });

  const state = (name: string) => page.getByRole('status').getByText(name, { exact: true });
  await expect(state('Ferma')).toBeVisible();
  await page.getByRole('button', { name: 'Riproduci' }).click();
  await expect(state('In riproduzione')).toBeVisible();
  await page.getByRole('button', { name: 'Pausa' }).click();
  await expect(state('In pausa')).toBeVisible();
  await page.getByRole('button', { name: 'Riproduci' }).click();
  await page.locator('audio').evaluate((audio: HTMLAudioElement) => {
    audio.currentTime = audio.duration - 0.2;
  });
  await expect(state('Ferma')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Riproduci' })).toBeVisible();

  await page.getByRole('button', { name: 'Elimina' }).click();
  const question = dialog(page, 'Vuoi eliminare la canzone?');
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(question).toBeHidden();
  expect(await listed(workshop, 'canzone')).toHaveLength(1);
  await page.getByRole('button', { name: 'Elimina' }).click();
  await question.getByRole('button', { name: 'Elimina' }).click();
  await told(page, 'Canzone eliminata');
  await expect(page.getByText('Nessuna canzone', { exact: true })).toBeVisible();
  expect(await config(workshop)).toMatchObject({ canzone_url: null });

  await endSessionBeforeUpload(page, workshop);
  await page.getByLabel(SONG).setInputFiles(fixture('song.mp3'));
  await dialog(page, 'Sessione scaduta').getByRole('button', { name: 'Annulla' }).click();
  await told(page, 'Utente non autenticato');
});

/** The session ends just before the next file is announced; nothing else of the page has noticed. */
async function endSessionBeforeUpload(page: Page, { server }: Workshop): Promise<void> {
  const end = async (route: Route) => {
    await endAdminSessions(server);
    await route.continue();
  };
  await page.route('**/api/admin/uploads', end, { times: 1 });
}

/** The line between the page and the server: its chunks can be held up. */
async function lineThrough(page: Page) {
  let hindrance: { offset: number; hinder: (route: Route) => Promise<void> } | undefined;
  let resumed: number | undefined;
  await page.route('**/api/admin/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const offset = Number(route.request().headers()['upload-offset']);
    resumed ??= offset;
    if (hindrance?.offset === offset) return hindrance.hinder(route);
    return route.continue();
  });
  return {
    /** From now on the chunk after so many (of 5 MB) doesn't get through. */
    beforeChunk: (count: number, hinder: (route: Route) => Promise<void>) => {
      hindrance = { offset: count * 5 * MB, hinder };
    },
    free: () => {
      hindrance = undefined;
      resumed = undefined;
    },
    /** Where the first chunk since `free` began, in bytes. */
    resumedAt: () => resumed,
  };
}

/** Drags a file from the desktop onto the zone, as far as a page can tell. */
async function drop(page: Page, path: string): Promise<void> {
  const bytes = (await readFile(path)).toString('base64');
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    const song = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
    transfer.items.add(new File([song], 'song.mp3', { type: 'audio/mpeg' }));
    return transfer;
  }, bytes);
  const zone = page.getByText('Trascina qui la canzone, oppure sceglila');
  for (const event of ['dragenter', 'dragover', 'drop'])
    await zone.dispatchEvent(event, { dataTransfer: data });
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function basenameOf(url: string | undefined): string {
  return url?.split('/').at(-1) ?? '';
}
