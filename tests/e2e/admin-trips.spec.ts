import { readFile } from 'node:fs/promises';
import type { Page, Route } from '@playwright/test';
import { expectAxeClean } from './support/accessible.ts';
import { account, expect, laptop, test } from './support/admin.ts';
import {
  broken,
  card,
  config,
  dialog,
  endSessionBeforeUpload,
  fixture,
  IMAGE,
  listed,
  SONG,
  TICKETS,
  told,
  upload,
} from './support/admin-media.ts';
import { place, save } from './support/content.ts';
import { inTime } from './support/stage.ts';

/** The pages of the trips' pictures, tickets and dates, and of the song. By real clicks and real bytes. */

test.describe('on a laptop', () => {
  test.use(laptop);

  test('a picture by keyboard alone, and what she will see of it', { tag: '@long' }, async ({
    page,
    adminSite,
    quiet,
  }) => {
    quiet.allow(/status of 502/);
    await adminSite.open('/admin/biglietti');
    await expect(
      page.getByText("Seleziona un'immagine destinazione: il caricamento parte da solo."),
    ).toBeVisible();
    const choose = page.getByRole('button', { name: 'Scegli un’immagine' });
    await choose.focus();
    await expect(choose).toBeFocused();
    const choosing = page.waitForEvent('filechooser');
    await choose.press('Enter');
    const received = page.waitForResponse(/\/api\/media\/\w+\.jpg\?w=/);
    await (await choosing).setFiles(fixture('picture.jpg'));
    await told(page, 'Immagine caricata e salvata!');
    await expect(card(page, 'picture.jpg').getByText('Attiva')).toBeVisible();
    // In a lighter format than it came, and it is drawn.
    expect(await (await received).headerValue('content-type')).toMatch(/^image\/(avif|webp)$/);
    await expect(card(page, 'picture.jpg').locator('img')).toHaveJSProperty('complete', true);
    expect(
      await card(page, 'picture.jpg')
        .locator('img')
        .evaluate((one: HTMLImageElement) => one.naturalWidth),
    ).toBeGreaterThan(0);
    const [image] = await listed(adminSite, 'immagine');
    const phone = page.frameLocator('iframe').first();
    await expect(phone.locator(`img[data-picture][src="${image?.url}"]`)).toBeVisible();
    await expect(phone.getByText('Il Nostro Viaggio')).toBeVisible();

    await page
      .getByRole('button', { name: 'Scegli il punto da tenere in vista di picture.jpg' })
      .press('Enter');
    const choice = page.getByRole('dialog', { name: 'Il punto da tenere in vista' });
    const point = choice.getByRole('slider', { name: 'Punto da tenere in vista' });
    await expect(point).toHaveAttribute('aria-valuetext', "50% da sinistra, 50% dall'alto");
    await point.press('ArrowRight');
    await point.press('ArrowUp');
    await expect(point).toHaveAttribute('aria-valuetext', "52% da sinistra, 48% dall'alto");
    await expectAxeClean(page);
    await choice.getByRole('button', { name: 'Al centro' }).click();
    await expect(point).toHaveAttribute('aria-valuetext', "50% da sinistra, 50% dall'alto");
    const { width, height } = (await point.boundingBox()) ?? { width: 0, height: 0 };
    await point.click({ position: { x: width - 1, y: height / 4 } });
    const points = '**/api/admin/media/*/*/focus';
    await page.route(points, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }));
    await choice.getByRole('button', { name: 'Salva' }).press('Enter');
    await told(page, 'Non sono riuscito a salvare il punto: riprova.');
    await page.unroute(points);
    await choice.getByRole('button', { name: 'Salva' }).press('Enter');
    await told(page, 'Punto salvato');
    await expect(choice).toBeHidden();
    await expect.poll(async () => (await listed(adminSite, 'immagine'))[0]?.fuoco?.y).toBeCloseTo(0.25, 2);
    await expect(phone.locator(`img[data-picture][src="${image?.url}"]`)).toHaveCSS(
      'object-position',
      /^(100|99\.\d+)% 2[45]/,
    );

    await page.getByRole('button', { name: 'Elimina picture.jpg' }).click();
    const sure = dialog(page, 'Sei sicuro di voler eliminare questa immagine?');
    await sure.getByRole('button', { name: 'Annulla' }).click();
    await expect(sure).toBeHidden();
    await page.getByRole('button', { name: 'Elimina picture.jpg' }).click();
    await sure.getByRole('button', { name: 'Elimina' }).click();
    await told(page, 'Immagine eliminata');
    expect(await config(adminSite)).toMatchObject({ immagine_destinazione_url: null });
    expect(await listed(adminSite, 'immagine')).toEqual([]);
    await expect(phone.getByText('Ancora nessuna immagine')).toBeAttached();
  });

  test('tickets and dates, and the boarding pass they make', async ({ page, adminSite }) => {
    await adminSite.open('/admin/biglietti');
    await expect(page.getByText('Seleziona un file biglietti (PDF o PNG): il caricamento')).toBeVisible();
    await upload(page, TICKETS, fixture('ticket.pdf'));
    await told(page, 'Biglietto caricato e salvato!');
    const ticket = card(page, 'ticket.pdf');
    const view = ticket.getByRole('link', { name: /^Visualizza File/ });
    await expect(view).toHaveAttribute('target', '_blank');
    await expect(view).toHaveAttribute('href', /^\/api\/media\/[0-9a-f]{32}\.pdf$/);
    await upload(page, TICKETS, fixture('ticket.png'));
    await expect(card(page, 'ticket.png').getByText('Attivo')).toBeVisible();
    await page.getByRole('button', { name: 'Usa ticket.pdf' }).click();
    await expect(ticket.getByText('Attivo')).toBeVisible();

    await page.getByLabel('Data di partenza').fill('15 Dicembre 2026');
    await page.getByLabel('Data di ritorno').fill('22 Dicembre 2026');
    const pass = page.frameLocator('iframe').last();
    await expect(pass.getByText('22 Dicembre 2026')).toBeVisible();
    await save(place(page, 'Date del viaggio'));
    await told(page, 'Date salvate con successo!');
    const [, pdf] = await listed(adminSite, 'biglietti');
    expect(await config(adminSite)).toMatchObject({
      biglietti_url: pdf?.url,
      data_partenza: '15 Dicembre 2026',
      data_ritorno: '22 Dicembre 2026',
    });

    await page.getByRole('button', { name: 'Elimina ticket.pdf' }).click();
    await dialog(page, 'Sei sicuro di voler eliminare questo biglietto?')
      .getByRole('button', { name: 'Elimina' })
      .click();
    await told(page, 'Biglietto eliminato');
    expect(await config(adminSite)).toMatchObject({ biglietti_url: null });
  });

  test('a session that ends during an upload asks to sign in, and the upload goes on', {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    await adminSite.open('/admin/immagine');
    await endSessionBeforeUpload(page, adminSite);
    await page.getByLabel(IMAGE).setInputFiles(fixture('picture.jpg'));
    const again = dialog(page, 'Sessione scaduta');
    await again.getByLabel('Password').fill(account.password);
    await again.getByRole('button', { name: 'Accedi' }).click();
    await told(page, 'Immagine caricata e salvata!');
  });
});

test('several tickets become one PDF, in the order that the keyboard gave them', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/status of (413|5\d\d)/);
  await adminSite.open('/admin/biglietti');
  await upload(page, TICKETS, fixture('ticket.pdf'));
  await expect(card(page, 'ticket.pdf').getByText('Attivo')).toBeVisible();
  const open = page.getByRole('button', { name: 'Unisci in un solo PDF' });
  await expect(open).toBeHidden();
  await upload(page, TICKETS, fixture('ticket.png'));
  await expect(card(page, 'ticket.png').getByText('Attivo')).toBeVisible();
  const [picture, pdf] = await listed(adminSite, 'biglietti');

  await open.click();
  const joining = dialog(page, 'Unisci in un solo PDF');
  const rows = joining.getByRole('list', { name: 'Biglietti da unire' }).getByRole('listitem');
  await expect(rows).toHaveText(['ticket.png', 'ticket.pdf']);
  const up = joining.getByRole('button', { name: 'Sposta su ticket.pdf' });
  await up.focus();
  await up.press('Enter');
  await expect(rows).toHaveText(['ticket.pdf', 'ticket.png']);
  await expect(up).toBeFocused();
  const join = joining.getByRole('button', { name: 'Unisci', exact: true });
  await joining.getByRole('checkbox', { name: 'ticket.png' }).uncheck();
  await expect(joining.getByText('Scegline almeno 2.')).toBeVisible();
  await expect(join).toBeDisabled();
  await joining.getByRole('checkbox', { name: 'ticket.png' }).check();

  await page.route('**/api/admin/media/biglietti/join', broken, { times: 1 });
  await join.click();
  await expect(joining.getByRole('alert')).toHaveText('Non sono riuscito a unire i biglietti: riprova.');
  await expect(rows).toHaveText(['ticket.pdf', 'ticket.png']);
  const release = Promise.withResolvers<void>();
  const tooLarge = async (route: Route) => {
    await release.promise;
    await route.fulfill({ status: 413, json: { codice: 'FILE_TOO_LARGE', messaggio: '' } });
  };
  await page.route('**/api/admin/media/biglietti/join', tooLarge, { times: 1 });
  await join.click();
  await expect(joining.getByText('Unisco i biglietti…')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(joining).toBeHidden();
  release.resolve();
  // The dialog comes back for what went wrong, with all that was chosen.
  await expect(joining.getByRole('alert')).toHaveText(
    'Insieme superano 20 MB, che il suo telefono aprirebbe a fatica: uniscine di meno.',
  );
  await expect(rows).toHaveText(['ticket.pdf', 'ticket.png']);
  const sent = page.waitForRequest('**/api/admin/media/biglietti/join');
  await join.click();
  expect((await sent).postDataJSON()).toEqual({ ids: [pdf?.id, picture?.id] });
  await told(page, 'Biglietti uniti in un solo PDF!');
  await expect(joining).toBeHidden();
  await expect(open).toBeFocused();
  await expect(card(page, 'biglietti uniti.pdf').getByText('Attivo')).toBeVisible();
  const [joined, ...others] = await listed(adminSite, 'biglietti');
  expect(others.map(({ id }) => id)).toEqual([picture?.id, pdf?.id]);
  expect(await config(adminSite)).toMatchObject({ biglietti_url: joined?.url });
});

test('the second trip: picture, tickets, titles, dates and instructions', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/status of 5\d\d/);
  await adminSite.open('/admin/second-trip-details');
  await upload(page, 'File: Immagine del secondo viaggio', fixture('picture.jpg'));
  await told(page, '✅ Immagine secondo viaggio caricata!');
  await upload(page, 'File: Biglietti del secondo viaggio', fixture('ticket.png'));
  await told(page, '✅ Biglietto secondo viaggio caricato!');
  await expect(card(page, 'ticket.png').getByRole('link', { name: /^Visualizza File/ })).toBeVisible();
  const [image] = await listed(adminSite, 'immagine_2');
  const [tickets] = await listed(adminSite, 'biglietti_2');
  expect([image?.tipo, tickets?.tipo]).toEqual(['secondo_viaggio', 'secondo_viaggio']);

  await page.getByLabel('Titolo seconda destinazione').fill('Dolomiti');
  await page.getByLabel('Titolo secondo viaggio').fill('La neve vera');
  await page.getByLabel('Data di partenza').fill('4 dicembre 2027');
  await page.getByLabel('Data di ritorno').fill('8 dicembre 2027');
  await page.getByLabel('Testo istruzioni biglietti').fill('Porta i guanti');
  await expect(page.frameLocator('iframe').first().getByText('La neve vera')).toBeAttached();
  await expect(page.frameLocator('iframe').last().getByText('Porta i guanti')).toBeAttached();
  await page.route('**/api/admin/config', broken);
  await page.getByRole('button', { name: 'Salva', exact: true }).click();
  await told(page, 'Impossibile salvare i dettagli');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Salva', exact: true }).click();
  await told(page, 'Dettagli secondo viaggio salvati con successo');
  expect(await config(adminSite)).toMatchObject({
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
  expect(await config(adminSite)).toMatchObject({ immagine_destinazione_url_2: null });
});

test('the second trip that cannot be read: the configuration says so, the lists only to the console', {
  tag: '@long',
}, async ({ page, adminSite, quiet }) => {
  quiet.allow(/status of 5\d\d/);
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.route('**/api/admin/media/*_2', broken);
  await page.clock.install();
  await adminSite.open('/admin/second-trip-details');
  const lists = page.getByText('Elenco non disponibile');
  await inTime(page, lists.nth(1));
  await expect(lists).toHaveCount(2);
  expect(logged.filter((line) => line.startsWith('Elenco non disponibile'))).toHaveLength(2);
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);

  await page.route('**/api/admin/config', broken);
  await page.reload();
  await inTime(
    page,
    page.locator('[data-sonner-toast]').filter({ hasText: 'Impossibile caricare la configurazione' }),
  );
  await told(page, 'Impossibile caricare la configurazione');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Riprova' }).click();
  await expect(page.getByLabel('Titolo seconda destinazione')).toBeVisible();
});

test('the song: heard, paused, stopped at its end, deleted', async ({ page, adminSite }) => {
  await adminSite.open('/admin/musica');
  await expect(page.getByText('La canzone parte da sola alla fine del video.')).toBeVisible();
  await expect(page.getByText('Sfuma quando vengono inviate le risposte.')).toBeVisible();
  await expect(page.getByText('MP3, WAV, OGG (max 50MB)')).toBeVisible();
  await page.getByLabel(SONG).setInputFiles(fixture('picture.jpg'));
  await told(page, 'Seleziona un file audio valido');
  await drop(page, fixture('song.mp3'));
  await told(page, 'Canzone caricata con successo');
  const [song] = await listed(adminSite, 'canzone');
  expect(await config(adminSite)).toMatchObject({ canzone_url: song?.url });

  const state = (name: string) => page.getByRole('status').getByText(name, { exact: true });
  await expect(state('Ferma')).toBeVisible();
  await page.getByRole('button', { name: 'Riproduci' }).click();
  await expect(state('In riproduzione')).toBeVisible();
  await page.getByRole('button', { name: 'Pausa' }).click();
  await expect(state('In pausa')).toBeVisible();
  await page.locator('audio').evaluate((audio: HTMLAudioElement) => {
    audio.currentTime = 2;
  });
  const start = async () => (await config(adminSite))['canzone_inizio_secondi'];
  await page.getByRole('button', { name: 'Parti da qui (0:02)' }).click();
  await told(page, 'Inizio della canzone salvato!');
  await expect(page.getByText('Parte da 0:02')).toBeVisible();
  expect(await start()).toBe(2);
  await page.getByRole('button', { name: '+1 s: un secondo dopo' }).click();
  await expect(page.getByText('Parte da 0:03')).toBeVisible();
  await page.getByRole('button', { name: '−1 s: un secondo prima' }).click();
  await expect(page.getByText('Parte da 0:02')).toBeVisible();
  const point = page.getByRole('slider', { name: 'Punto della canzone' });
  await point.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Parti da qui (0:03)' })).toBeVisible();
  // Each leads on from where the last one has, though the player has had no time to tell of it.
  await point.evaluate(async (slider) => {
    for (const way of ['Left', 'Left', 'Left', 'Right', 'Right']) {
      slider.dispatchEvent(new KeyboardEvent('keydown', { key: `Arrow${way}`, bubbles: true }));
      await Promise.resolve();
    }
  });
  await expect(page.getByRole('button', { name: 'Parti da qui (0:02)' })).toBeVisible();
  await page.getByRole('button', { name: 'Dall’inizio' }).click();
  await expect(page.getByText('Parte dall’inizio')).toBeVisible();
  await expect.poll(start).toBe(0);
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
  expect(await listed(adminSite, 'canzone')).toHaveLength(1);
  await page.getByRole('button', { name: 'Elimina' }).click();
  await question.getByRole('button', { name: 'Elimina' }).click();
  await told(page, 'Canzone eliminata');
  await expect(page.getByText('Nessuna canzone', { exact: true })).toBeVisible();
  expect(await config(adminSite)).toMatchObject({ canzone_url: null });

  await endSessionBeforeUpload(page, adminSite);
  await page.getByLabel(SONG).setInputFiles(fixture('song.mp3'));
  await dialog(page, 'Sessione scaduta').getByRole('button', { name: 'Annulla' }).click();
  await told(page, 'Utente non autenticato');
});

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
