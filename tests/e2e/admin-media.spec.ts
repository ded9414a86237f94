import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '../support/server.ts';
import { filmOf } from '../support/uploads.ts';
import { expect, expectNotice, test } from './support/admin.ts';
import { choose, lineThrough, MB, pauseMediaWorker } from './support/admin-media.ts';

/** A film, with real bytes: from the choice of a file to the player, with failures on the way. */

const VIDEO = 'Scegli un video';

test('resumes an upload after an outage and a reload, and takes a frame of the film as its cover', async ({
  page,
  context,
  adminSite,
  quiet,
}) => {
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

  const player = page.getByLabel('Video: vacanze.mp4');
  await expect(player).toHaveAttribute('poster', /^\/api\/media\/[0-9a-f]{32}\.jpg$/);
  const drawn = String(await player.getAttribute('poster'));
  await expect(page.frameLocator('iframe').locator(`img[src="${drawn}"]`).last()).toBeVisible();
  await player.evaluate((video: HTMLVideoElement) => {
    video.currentTime = 1;
    return new Promise((done) => video.addEventListener('seeked', done, { once: true }));
  });
  await page.getByRole('button', { name: 'Usa questo fotogramma come copertina' }).click();
  await expectNotice(page, 'Copertina salvata');
  await expect(player).not.toHaveAttribute('poster', drawn);
});
