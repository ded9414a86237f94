import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import { newFolder } from '../support/server.ts';
import { announce, idOf, send } from '../support/uploads.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { expect, test } from './support/admin.ts';
import {
  arriving,
  broken,
  card,
  dialog,
  fixture,
  listed,
  playedThrough,
  told,
  upload,
  VIDEO,
} from './support/admin-media.ts';
import { holdWork } from './support/held-work.ts';

/** What the server makes of files once they have arrived, as it is seen on every page and device. */

test('a phone’s HEVC film is made fit while the page is closed, with its cover', async ({
  page,
  adminSite,
}) => {
  const film = await hevcFilm('IMG_0001.MOV');
  const asked: string[] = [];
  page.on('dialog', (leaving) => {
    asked.push(leaving.type());
    void leaving.accept();
  });
  await adminSite.open('/admin/video');
  const held = holdWork(adminSite.server);
  await upload(page, VIDEO, film);
  await expect(page.getByText('Preparo il video perché si veda su ogni telefono…')).toBeVisible();
  await expect(page.getByText('Puoi chiudere questa pagina: continuo io')).toBeVisible();
  const bar = page.getByRole('progressbar', { name: 'Preparazione di IMG_0001.MOV' });
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]\d$/);
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);
  await page.reload();
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]\d$/);
  expect([asked, await listed(adminSite, 'video')]).toEqual([[], []]);

  // Another file has to wait; another page says so, too.
  await upload(page, VIDEO, fixture('media/silent.mp4'));
  await expect(page.getByText('In attesa: prima finisco un altro file.')).toBeVisible();
  await adminSite.open('/admin/musica');
  const corner = page.getByRole('complementary', { name: 'Caricamenti in corso' });
  await expect(corner.getByRole('link', { name: 'IMG_0001.MOV' })).toContainText(/Preparo… [1-9]\d%/);
  await corner.getByRole('link', { name: 'IMG_0001.MOV' }).click();
  held.letGo();
  await told(page, 'Video caricato e salvato!');
  await expect(card(page, 'IMG_0001.MOV')).toBeVisible();
  await expect(card(page, 'silent.mp4')).toBeVisible();
  await expect(card(page, 'IMG_0001.MOV')).toContainText('Attivo');
  await expect(bar).toHaveCount(0);
  const player = card(page, 'IMG_0001.MOV').locator('video');
  await expect(player).toHaveAttribute('poster', /\.jpg$/);
  expect(await playedThrough(player)).toEqual({
    width: 320,
    height: 240,
    duration: expect.closeTo(2, 0),
    shown: true,
  });
});

test('what another device sent is shown, and stopped after a question', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/status of 500/);
  const held = holdWork(adminSite.server);
  const bytes = await readFile(fixture('media/good.mp4'));
  const to = { url: adminSite.server.url, cookie: adminSite.server.session };
  const id = idOf(await announce(to, bytes.length, { slot: 'video', filename: 'dal telefono.mp4' }));
  await send(to, id, 0, bytes);
  await held.begun;
  await adminSite.open('/admin/video');
  const panel = page.getByRole('region', { name: 'Preparazione di dal telefono.mp4' });
  await panel.getByRole('button', { name: 'Annulla' }).click();
  const question = dialog(page, 'Interrompere il lavoro su questo file?');
  await expect(question).toContainText('dal telefono.mp4 va caricato di nuovo da capo');
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(question).toBeHidden();
  await page.route(`**/api/admin/uploads/${id}`, broken);
  await panel.getByRole('button', { name: 'Annulla' }).click();
  await question.getByRole('button', { name: 'Interrompi' }).click();
  await told(page, 'Non sono riuscito a interrompere: riprova.');
  await page.unrouteAll();
  await panel.getByRole('button', { name: 'Annulla' }).click();
  await question.getByRole('button', { name: 'Interrompi' }).click();
  await expect(panel).toHaveCount(0);
  expect(await arriving(adminSite)).toEqual([]);
  await expect(page.getByText('Nessun video', { exact: true })).toBeVisible();
});

test('a film that is none is refused, and that stays until it is read', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/status of 500/);
  await adminSite.open('/admin/video');
  const none = { name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('Caro diario, '.repeat(500)) };
  await page.getByLabel(VIDEO).setInputFiles(none);
  await told(page, 'Questo file non è un video.');
  const refused = page.getByRole('main').getByRole('alert');
  await expect(refused).toContainText('film.mp4 non è stato accettato');
  await page.reload();
  await expect(refused).toContainText('Questo file non è un video.');
  await adminSite.open('/admin/musica');
  const corner = page.getByRole('complementary', { name: 'Caricamenti in corso' });
  await expect(corner.getByRole('link', { name: 'film.mp4' })).toContainText('Non è stato accettato');
  await corner.getByRole('link').click();
  await page.route('**/api/admin/uploads/*/dismiss', broken);
  await refused.getByRole('button', { name: 'Ho capito' }).click();
  await told(page, 'Non sono riuscito a togliere l’avviso: riprova.');
  await page.unrouteAll();
  await refused.getByRole('button', { name: 'Ho capito' }).press('Enter');
  await expect(refused).toHaveCount(0);
  // The keyboard goes on from where the refusal was.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Scegli un video' })).toBeFocused();
  await page.reload();
  await expect(page.getByText('Nessun video', { exact: true })).toBeVisible();
  await expect(refused).toHaveCount(0);
  expect(await arriving(adminSite)).toEqual([]);
});

test('a disk that is full is said where the file was sent, and with room again it goes on', {
  tag: '@long',
}, async ({ page, adminSite, quiet }) => {
  quiet.allow(/status of 50[07]/);
  const { storage } = adminSite.server.deps;
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
  const refuse = () => Promise.reject(new StorageUnavailable('full', { cause: full }));
  adminSite.server.deps.storage = { ...storage, put: refuse };
  await adminSite.open('/admin/video');
  await upload(page, VIDEO, fixture('media/good.mp4'));
  const halted = page.getByRole('main').getByRole('alert');
  await expect(halted).toContainText('good.mp4: il lavoro si è fermato');
  await expect(halted).toContainText('Spazio esaurito sul server: libera spazio e riprova.');
  await expectAxeClean(page);
  await page.route('**/api/admin/uploads/*/finish', broken);
  await halted.getByRole('button', { name: 'Riprova' }).click();
  await told(page, 'Non sono riuscito a ricominciare: riprova.');
  await page.unrouteAll();
  adminSite.server.deps.storage = storage;
  await halted.getByRole('button', { name: 'Riprova' }).click();
  await expect(card(page, 'good.mp4')).toBeVisible();
  await expect(halted).toHaveCount(0);
});

test('while a film is made fit, no cover can be taken from another', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  await adminSite.open('/admin/video');
  await upload(page, VIDEO, fixture('media/good.mp4'));
  await told(page, 'Video caricato e salvato!');
  const held = holdWork(adminSite.server);
  await upload(page, VIDEO, fixture('media/silent.mp4'));
  await held.begun;
  const take = page.getByRole('button', { name: 'Usa questo fotogramma come copertina' });
  await take.click();
  await told(page, 'Sto ancora lavorando a un file: riprova quando ho finito.');
  held.letGo();
  await expect(card(page, 'silent.mp4')).toBeVisible();
  await take.first().click();
  await told(page, 'Copertina salvata');
});

/** A film as an iPhone makes it: HEVC in QuickTime. Two seconds, 320×240. */
async function hevcFilm(name: string): Promise<string> {
  const path = join(await newFolder(), name);
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=30:d=2', '-f', 'lavfi', '-i', 'sine=d=2'];
  const hevc = [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=error',
    '-tag:v',
    'hvc1',
  ];
  await ffmpeg(...inputs, ...hevc, '-c:a', 'aac', path);
  return path;
}
