import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpeg } from '../support/ffmpeg.ts';
import { newFolder } from '../support/server.ts';
import { filmOf } from '../support/uploads.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { expect, expectNotice, stored, test, undo } from './support/admin.ts';
import {
  card,
  choose,
  dialog,
  fixture,
  lineThrough,
  listed,
  MB,
  pauseMediaWorker,
  playedThrough,
} from './support/admin-media.ts';

/** Films, with real clicks and bytes: from the choice of a file to the bin, with failures on the way. */

const VIDEO = 'Scegli un video';
const config = async (site: Parameters<typeof stored>[0]) => (await stored(site)) as object;

test('stores a film and its cover, refuses a truncated one, and empties the bin', async ({
  page,
  adminSite,
}) => {
  test.slow();
  await adminSite.open('/admin/video');
  await choose(page, VIDEO, fixture('video-truncated.mp4'));
  const refused = page.getByRole('main').getByRole('alert');
  await expect(refused).toContainText('video-truncated.mp4 non è stato accettato', { timeout: 60_000 });
  await page.reload();
  await expect(refused).toContainText('Il file è incompleto');
  await refused.getByRole('button', { name: 'Ho capito' }).click();
  await expect(refused).toHaveCount(0);

  await choose(page, VIDEO, fixture('video-3s.mp4'));
  await expectNotice(page, 'Video caricato e salvato!');
  const player = page.getByLabel('Video: video-3s.mp4');
  await expect(player).toHaveAttribute('poster', /^\/api\/media\/[0-9a-f]{32}\.jpg$/);
  const drawn = await player.getAttribute('poster');
  await expect(page.frameLocator('iframe').locator(`img[src="${drawn}"]`).last()).toBeVisible();
  await choose(page, VIDEO, fixture('media/silent.mp4'));
  await expect(card(page, 'silent.mp4').getByText('Questo video non ha audio')).toBeVisible({
    timeout: 60_000,
  });
  await expect(card(page, 'video-3s.mp4').getByText('Attivo')).toBeVisible();
  await page.getByRole('button', { name: 'Usa silent.mp4' }).click();
  await expectNotice(page, 'Video selezionato come attivo!');
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
  await expectNotice(page, 'Copertina salvata');
  await expect(player).not.toHaveAttribute('poster', String(first?.poster_url));
  await page.getByLabel('Velocità di riproduzione').selectOption('1.5');
  await expectNotice(page, 'Velocità video salvata!');
  expect(await config(adminSite)).toMatchObject({ video_playback_rate: 1.5, video_url: silent?.url });

  const question = dialog(page, 'Sei sicuro di voler eliminare questo video?');
  const remove = async () => {
    await page.getByRole('button', { name: 'Elimina silent.mp4' }).click();
    await question.getByRole('button', { name: 'Elimina' }).click();
    await expect(card(page, 'silent.mp4')).toHaveCount(0);
  };
  await page.getByRole('button', { name: 'Elimina silent.mp4' }).click();
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(question).toBeHidden();
  await remove();
  expect(await config(adminSite)).toMatchObject({ video_url: null });
  await undo(page);
  await expectNotice(page, 'È di nuovo al suo posto, nella sorpresa');
  expect(await config(adminSite)).toMatchObject({ video_url: silent?.url });
  await remove();
  await adminSite.open('/admin/cestino');
  await page.getByRole('button', { name: 'Rimetti dov’era: silent.mp4' }).click();
  await expect(page.getByText('Il cestino è vuoto')).toBeVisible();
  expect(await listed(adminSite, 'video')).toHaveLength(2);
  await adminSite.open('/admin/video');
  await remove();
  await adminSite.open('/admin/cestino');
  await page.getByRole('button', { name: 'Svuota il cestino' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Svuota il cestino' }).click();
  await expect(page.getByText('Il cestino è vuoto')).toBeVisible();
});

test('resumes an upload after an outage and a reload', async ({ page, context, adminSite, quiet }) => {
  test.slow();
  quiet.allow(/net::ERR_/);
  const bytes = await filmOf(12 * MB);
  const film = join(await newFolder(), 'vacanze.mp4');
  await writeFile(film, bytes);
  const line = await lineThrough(page);
  await adminSite.open('/admin/video');
  line.beforeChunk(1, async (route) => {
    await context.setOffline(true);
    await route.abort('internetdisconnected');
  });
  await choose(page, VIDEO, film);
  const panel = page.getByRole('region', { name: 'Caricamento di vacanze.mp4' });
  // Each 5 MB pass through the test, which takes its time on a busy machine.
  const arrives = { timeout: 60_000 };
  await expect(panel.getByText('In attesa della rete: riprende da solo.')).toBeVisible(arrives);
  await expect(panel.getByText('41% · 5 MB di 12 MB')).toBeVisible();

  // On another page the network returns, and the connection is cut for good after 10 MB.
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
  // These bytes have left the browser; once it requests more, the server has them.
  await cut.promise;

  // Leaving the page asks for a confirmation.
  const asked = page.waitForEvent('dialog').then((leaving) => leaving.accept().then(() => leaving.type()));
  await page.reload();
  expect(await asked).toBe('beforeunload');
  await expect(
    page.getByText('Riprendi il caricamento di vacanze.mp4: scegli di nuovo lo stesso file.'),
  ).toBeVisible();
  line.free();
  const held = pauseMediaWorker(adminSite.server);
  await choose(page, VIDEO, film);
  const sha256 = (of: Buffer) => createHash('sha256').update(of).digest('hex');
  expect(sha256(await readFile(await held.begun))).toBe(sha256(bytes));
  expect(line.offsets[0]).toBe(10 * MB);
  held.letGo();
  await expectNotice(page, 'Video caricato e salvato!');
  await expect(page.getByText('Riprendi il caricamento')).toHaveCount(0);
  await expect(card(page, 'vacanze.mp4').getByText('Attivo')).toBeVisible();
});

test('converts a phone’s film while the page is closed, and stops another', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  test.slow();
  page.on('dialog', (leaving) => void leaving.accept());
  await adminSite.open('/admin/video');
  const held = pauseMediaWorker(adminSite.server);
  await choose(page, VIDEO, await hevcFilm('IMG_0001.MOV'));
  await expect(page.getByText('Preparo il video perché si veda su ogni telefono…')).toBeVisible();
  await expect(page.getByText('Puoi chiudere questa pagina: continuo io')).toBeVisible();
  const bar = page.getByRole('progressbar', { name: 'Preparazione di IMG_0001.MOV' });
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]\d$/);
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);
  await page.reload();
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]\d$/);

  // Another file has to wait and is stopped; another page shows the progress too.
  await choose(page, VIDEO, fixture('media/silent.mp4'));
  const second = page.getByRole('region', { name: 'Preparazione di silent.mp4' });
  await expect(second.getByText('In attesa: prima finisco un altro file.')).toBeVisible();
  await second.getByRole('button', { name: 'Annulla' }).click();
  const question = dialog(page, 'Interrompere il lavoro su questo file?');
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(second).toBeVisible();
  await second.getByRole('button', { name: 'Annulla' }).click();
  await question.getByRole('button', { name: 'Interrompi' }).click();
  await expect(second).toHaveCount(0);
  await adminSite.open('/admin/musica');
  const link = page.getByRole('complementary', { name: 'Caricamenti in corso' }).getByRole('link');
  await expect(link).toContainText(/IMG_0001\.MOV.*Preparo… [1-9]\d%/);
  await link.click();
  held.letGo();
  await expectNotice(page, 'Video caricato e salvato!');
  await expect(card(page, 'IMG_0001.MOV')).toContainText('Attivo');
  await expect(card(page, 'silent.mp4')).toHaveCount(0);
  const player = card(page, 'IMG_0001.MOV').locator('video');
  await expect(player).toHaveAttribute('poster', /\.jpg$/);
  expect(await playedThrough(player)).toEqual({
    width: 320,
    height: 240,
    duration: expect.closeTo(2, 0),
    shown: true,
  });
});

/** Creates a film as an iPhone does: HEVC in QuickTime, 2 s, 320×240. */
async function hevcFilm(name: string): Promise<string> {
  const path = join(await newFolder(), name);
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=30:d=2', '-f', 'lavfi', '-i', 'sine=d=2'];
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error'];
  await ffmpeg(...inputs, ...hevc, '-tag:v', 'hvc1', '-c:a', 'aac', path);
  return path;
}

test('accepts captions from a file and by hand, shows and deletes them', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  // As an old program on Windows writes it.
  const file = {
    name: 'serata.srt',
    mimeType: 'application/x-subrip',
    buffer: Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Perché no?</i>\r\n', 'latin1'),
  };
  const kept = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nPerché no?\n';
  await adminSite.open('/admin/video');
  await choose(page, VIDEO, fixture('video-3s.mp4'));
  await expectNotice(page, 'Video caricato e salvato!');
  await page.getByRole('button', { name: 'Aggiungi i sottotitoli a video-3s.mp4' }).click();
  const form = dialog(page, 'I sottotitoli del video');
  const text = form.getByLabel('Testo dei sottotitoli');
  await form.locator('input[type=file]').setInputFiles(file);
  await expect(text).toHaveValue(/<i>Perché no\?<\/i>/);
  await form.getByLabel('A chi si vedono').selectOption('Sempre, a chiunque');
  await form.getByRole('button', { name: 'Salva' }).press('Enter');
  await expectNotice(page, 'Sottotitoli salvati');
  await expect(text).toHaveValue(kept);
  expect((await listed(adminSite, 'video'))[0]?.captions?.mode).toBe('always');

  const seek = (second: number) =>
    page.getByLabel('video-3s.mp4 con i sottotitoli').evaluate(
      (video: HTMLVideoElement, to) =>
        new Promise((done) => {
          video.addEventListener('seeked', done, { once: true });
          video.currentTime = to;
        }),
      second,
    );
  await seek(1.5);
  await expect(form.getByText('Perché no?', { exact: true })).toBeVisible();
  await expectAxeClean(page);
  await seek(2.5);
  await expect(form.getByText('Perché no?', { exact: true })).toBeHidden();
  await text.press('ControlOrMeta+End');
  await form.getByRole('button', { name: 'Inserisci il tempo attuale' }).click();
  await expect(text).toBeFocused();
  await page.keyboard.type('Sì.');
  await expect(text).toHaveValue(`${kept}\n00:00:02.500 --> 00:00:05.500\nSì.`);
  await form.getByRole('button', { name: 'Elimina i sottotitoli di video-3s.mp4' }).click();
  const sure = dialog(page, 'Sei sicuro di voler eliminare i sottotitoli?');
  await sure.getByRole('button', { name: 'Elimina' }).click();
  await expectNotice(page, 'Sottotitoli eliminati');
  expect((await listed(adminSite, 'video'))[0]?.captions).toBeNull();
});
