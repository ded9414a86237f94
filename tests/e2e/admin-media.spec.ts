import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '../support/server.ts';
import { filmOf } from '../support/uploads.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { expect, test } from './support/admin.ts';
import {
  arriving,
  broken,
  card,
  config,
  dialog,
  fixture,
  IMAGE,
  lineThrough,
  listed,
  MB,
  playedThrough,
  TICKETS,
  told,
  upload,
  VIDEO,
} from './support/admin-media.ts';
import { holdWork } from './support/held-work.ts';

/** The page of the video, and what happens to files on their way. By real clicks and real bytes. */

test('a video: chosen, kept with its poster, used, slowed down, deleted', async ({ page, adminSite }) => {
  await adminSite.open('/admin/video');
  await expect(page.getByText('Carica il primo: diventa subito quello della sorpresa.')).toBeVisible();
  await expect(page.getByText(/^Seleziona un video/)).toBeVisible();

  await upload(page, VIDEO, fixture('video-3s.mp4'));
  await told(page, 'Video caricato e salvato!');
  await expect(card(page, 'video-3s.mp4').getByText('Attivo')).toBeVisible();
  await expect(card(page, 'video-3s.mp4')).toContainText(/44,8 kB · Caricato il \d+ \p{L}+ \d{4}/u);
  const player = card(page, 'video-3s.mp4').getByLabel('Video: video-3s.mp4');
  await expect(player).toHaveAttribute('poster', /^\/api\/media\/[0-9a-f]{32}\.jpg$/);
  const drawn = await player.getAttribute('poster');
  await expect(page.frameLocator('iframe').locator(`img[src="${drawn}"]`).last()).toBeVisible();
  await expect(page.frameLocator('iframe').getByText('Inizia Esperienza')).toBeVisible();

  await upload(page, VIDEO, fixture('media/silent.mp4'));
  await expect(card(page, 'silent.mp4').getByText('Questo video non ha audio')).toBeVisible();
  await expect(card(page, 'silent.mp4').getByText('Attivo')).toHaveCount(0);
  await page.getByRole('button', { name: 'Usa silent.mp4' }).click();
  await told(page, 'Video selezionato come attivo!');
  await expect(card(page, 'silent.mp4').getByText('Attivo')).toBeVisible();
  const [silent, first] = await listed(adminSite, 'video');
  expect(await config(adminSite)).toMatchObject({ video_url: silent?.url });

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
  expect(await config(adminSite)).toMatchObject({ video_playback_rate: 1.5, video_url: silent?.url });

  await page.getByRole('button', { name: 'Elimina silent.mp4' }).click();
  const question = dialog(page, 'Sei sicuro di voler eliminare questo video?');
  await expect(question).toContainText('È il video attivo');
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(question).toBeHidden();
  expect(await listed(adminSite, 'video')).toHaveLength(2);
  await page.getByRole('button', { name: 'Elimina silent.mp4' }).click();
  await question.getByRole('button', { name: 'Elimina' }).click();
  await told(page, 'Video eliminato');
  await expect(card(page, 'silent.mp4')).toHaveCount(0);
  expect(await config(adminSite)).toMatchObject({ video_url: null });
  expect(await listed(adminSite, 'video')).toHaveLength(1);
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Annulla' }).first().click();
  await told(page, 'Rimesso dov’era: è di nuovo quello della sorpresa');
  await expect(card(page, 'silent.mp4')).toHaveCount(1);
  expect(await config(adminSite)).toMatchObject({ video_url: silent?.url });
});

test('a film that was rewritten plays to its end, upright', { tag: '@long' }, async ({ page, adminSite }) => {
  await adminSite.open('/admin/video');
  const films = [
    ['iphone.mov', { width: 128, height: 96 }],
    ['rotated.mov', { width: 96, height: 128 }],
    ['index-last.mp4', { width: 128, height: 96 }],
  ] as const;
  for (const [name, size] of films) {
    await upload(page, VIDEO, fixture(`media/${name}`));
    const player = card(page, name).getByLabel(`Video: ${name}`);
    const played = await playedThrough(player);
    expect(played, name).toEqual({ ...size, duration: expect.closeTo(1.5, 0), shown: true });
  }
});

test('an upload cut by the network goes on by itself, and after a reload with the same file', async ({
  page,
  context,
  adminSite,
  quiet,
}) => {
  quiet.allow(/net::ERR_/);
  const bytes = await filmOf(12 * MB);
  const folder = await newFolder();
  const film = join(folder, 'vacanze.mp4');
  await writeFile(film, bytes);
  const line = await lineThrough(page);
  await adminSite.open('/admin/video');

  line.beforeChunk(1, async (route) => {
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await upload(page, VIDEO, film);
  const panel = page.getByRole('region', { name: 'Caricamento di vacanze.mp4' });
  // Each five megabytes go through the test's own hands: on a busy machine that takes its time.
  const arrives = { timeout: 60_000 };
  await expect(panel.getByText('In attesa della rete: riprende da solo.')).toBeVisible(arrives);
  await expect(panel.getByText('41% · 5 MB di 12 MB')).toBeVisible();

  // Meanwhile another page; the network comes back, and the line is cut for good after ten megabytes.
  await page.getByRole('button', { name: 'Apri il menu' }).click();
  const cut = Promise.withResolvers<void>();
  line.beforeChunk(2, async (route) => {
    await route.abort('connectionreset');
    cut.resolve();
  });
  await context.setOffline(false);
  await page.getByRole('dialog').getByRole('link', { name: 'Musica' }).click();
  const corner = page.getByRole('complementary', { name: 'Caricamenti in corso' });
  await expect(corner.getByText(/^\d+%, in attesa della rete$/)).toBeVisible(arrives);
  await corner.getByRole('link').click();
  await expect(panel.getByText('83% · 10 MB di 12 MB')).toBeVisible(arrives);
  // So much has left the browser; once it asks for more, the server has it.
  await cut.promise;

  // Leaving asks.
  const asked = page.waitForEvent('dialog').then((leaving) => leaving.accept().then(() => leaving.type()));
  await page.reload();
  expect(await asked).toBe('beforeunload');
  await expect(
    page.getByText('Riprendi il caricamento di vacanze.mp4: scegli di nuovo lo stesso file.'),
  ).toBeVisible();
  await expect(page.getByText('Era arrivato all’83%.')).toBeVisible();

  line.free();
  const held = holdWork(adminSite.server);
  await page.getByLabel(VIDEO).setInputFiles(film);
  expect(sha256(await readFile(await held.begun))).toBe(sha256(bytes));
  expect(line.resumedAt()).toBe(10 * MB);
  held.letGo();
  await told(page, 'Video caricato e salvato!');
  await expect(page.getByText('Riprendi il caricamento')).toHaveCount(0);
  await expect(card(page, 'vacanze.mp4').getByText('Attivo')).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tus')))).toEqual(
    [],
  );
});

test('an upload that is cancelled frees what it took, after a question', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/net::ERR_/);
  const film = join(await newFolder(), 'lungo.mp4');
  await writeFile(film, await filmOf(25 * MB));
  const line = await lineThrough(page);
  await adminSite.open('/admin/video');
  line.beforeChunk(2, (route) => route.abort('connectionreset'));
  await upload(page, VIDEO, film);
  const panel = page.getByRole('region', { name: 'Caricamento di lungo.mp4' });
  // Ten megabytes arrive before: on a busy machine that takes its time.
  await expect(panel.getByText('In attesa della rete')).toBeVisible({ timeout: 60_000 });
  expect(await arriving(adminSite)).not.toEqual([]);
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);

  await panel.getByRole('button', { name: 'Annulla' }).click();
  const question = dialog(page, 'Interrompere il caricamento?');
  await expect(question).toContainText('Quello che è già arrivato di lungo.mp4 (40%) va perso.');
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(panel).toBeVisible();

  // Signing out would stop it, too.
  await page.getByRole('link', { name: 'Torna al pannello' }).click();
  await page.getByRole('button', { name: 'Esci', exact: true }).click();
  const leaving = dialog(page, 'Uscire durante un caricamento?');
  await expect(leaving).toContainText('Per riprenderlo basterà scegliere di nuovo lo stesso file.');
  await leaving.getByRole('button', { name: 'Annulla' }).click();
  await page.getByRole('complementary', { name: 'Caricamenti in corso' }).getByRole('link').click();
  await panel.getByRole('button', { name: 'Annulla' }).click();
  await question.getByRole('button', { name: 'Interrompi' }).click();
  await expect(panel).toHaveCount(0);
  await expect.poll(() => arriving(adminSite)).toEqual([]);
  await page.reload();
  await expect(page.getByText('Nessun video', { exact: true })).toBeVisible();
  await expect(page.getByText('Riprendi il caricamento')).toHaveCount(0);
});

test('files that are not wanted get their sentence, and it stays until it is read', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  await adminSite.open('/admin/video');
  // A picture and a song are known from outside, before a byte of them leaves.
  await page.getByLabel(VIDEO).setInputFiles(fixture('picture.jpg'));
  await told(page, 'Questo file non è un video.');
  const reason = page.getByRole('main').getByRole('alert');
  await expect(reason).toContainText('picture.jpg non è stato accettato');
  // Whatever is pressed without a file, the reason stays; the next file has its own.
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Scegli un video' }).click();
  await choosing;
  await expect(reason).toContainText('picture.jpg');
  await page.getByLabel(VIDEO).setInputFiles(fixture('song.mp3'));
  await told(page, 'In questo file non c’è nessuna immagine in movimento');
  await expect(reason).toHaveCount(1);
  await expect(reason).toContainText('song.mp3 non è stato accettato');
  expect(await arriving(adminSite)).toEqual([]);
  await upload(page, VIDEO, fixture('video-truncated.mp4'));
  const refused = page.getByRole('alert').filter({ hasText: 'video-truncated.mp4 non è stato accettato' });
  await expect(refused).toContainText('Il file è incompleto');
  await told(page, 'Il file è incompleto');
  await page.getByRole('button', { name: 'Apri il menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Destinazione e biglietti' }).click();

  const folder = await newFolder();
  const large = join(folder, 'enorme.jpg');
  await writeFile(large, Buffer.alloc(21 * MB));
  await page.getByLabel(IMAGE).setInputFiles(large);
  await told(page, 'Il file è troppo grande: è di 21 MB e può essere al massimo di 20 MB.');
  await page
    .getByLabel(IMAGE)
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await told(page, 'Le immagini SVG non sono accettate');
  await page.getByLabel(TICKETS).setInputFiles(fixture('song.mp3'));
  await told(page, 'Questo file non è un biglietto che si possa aprire.');
  // A film that calls itself a picture passes here; the server reads its bytes.
  const disguised = join(folder, 'mare.png');
  await writeFile(disguised, await readFile(fixture('video-3s.mp4')));
  await upload(page, IMAGE, disguised);
  await expect(page.getByRole('alert').filter({ hasText: 'mare.png non è stato accettato' })).toBeVisible();
  expect(await listed(adminSite, 'immagine')).toEqual([]);

  await page.getByRole('complementary', { name: 'Caricamenti in corso' }).getByRole('link').click();
  await refused.getByRole('button', { name: 'Ho capito' }).click();
  await expect(refused).toHaveCount(0);
  expect(await listed(adminSite, 'video')).toEqual([]);
  expect(await arriving(adminSite)).not.toContainEqual(expect.stringMatching(/^[0-9a-f]{32}$/));
});

test('what goes wrong on the video page has the sentences of the specification', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/status of 5\d\d/);
  await adminSite.open('/admin/video');
  await upload(page, VIDEO, fixture('video-3s.mp4'));
  await told(page, 'Video caricato e salvato!');
  await upload(page, VIDEO, fixture('media/silent.mp4'));
  await expect(card(page, 'silent.mp4')).toBeVisible();

  await page.route('**/api/admin/media/video/**', broken);
  await page.getByRole('button', { name: 'Usa silent.mp4' }).click();
  await told(page, 'Errore durante la selezione');
  await page.getByRole('button', { name: 'Elimina silent.mp4' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click();
  await told(page, "Errore durante l'eliminazione");
  await page.route('**/api/admin/uploads', broken);
  await upload(page, VIDEO, fixture('media/good.mp4'));
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

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
