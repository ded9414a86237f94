import { resolve } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { MEDIA_WARNINGS } from '../../src/contract/admin/media-item.ts';
import { BOT_TOKEN, CHAT_ID } from '../support/telegram.ts';
import { account, adminPage, expect, laptop, signInAdmin, test } from './support/admin.ts';
import { endSessionBeforeUpload } from './support/admin-media.ts';
import { elsewhere, expectToast, failures, place, save, stored } from './support/content.ts';
import { oneTrip } from './support/surprises.ts';

/** The product's own sentences for the administrator, each after its cause, where no other test makes it appear. */
test.use(laptop);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

test('leaving unsaved text is asked about in words, a save is waited for, and an empty instruction says why it can’t be saved', {
  tag: '@long',
}, async ({ page, adminSite }) => {
  await adminSite.open('/admin/ticket-instruction');
  const field = page.getByLabel('Istruzioni', { exact: true });
  await field.fill('');
  await expect(page.getByText('Scrivi le istruzioni prima di salvare').first()).toBeVisible();
  await page.getByRole('link', { name: 'Torna al pannello' }).click();
  const asked = page.getByRole('dialog', { name: 'Modifiche non salvate' });
  await expect(
    asked.getByText('Quello che hai scritto non è ancora salvato: uscendo senza salvare va perso.'),
  ).toBeVisible();
  await asked.getByRole('button', { name: 'Resta qui' }).click();
  await expect(asked).toHaveCount(0);
  await expect(field).toHaveValue('');
  await page.getByRole('link', { name: 'Torna al pannello' }).click();
  await asked.getByRole('button', { name: 'Esci senza salvare' }).click();
  await expect(page).toHaveURL(`${adminSite.server.url}/admin/dashboard`);
  expect((await stored(adminSite)).testo_istruzioni_biglietti).toBeNull();

  // A save on its way is waited for.
  await adminSite.open('/admin/ticket-instruction');
  const arrives = Promise.withResolvers<void>();
  await page.route('**/api/admin/config', async (route) => {
    if (route.request().method() === 'PATCH') await arrives.promise;
    await route.continue();
  });
  await field.fill('Poi torna qui.');
  const instruction = place(page, 'Istruzioni dei biglietti');
  await save(instruction);
  await expect(instruction.getByRole('button', { name: 'Salva', exact: true })).toBeFocused();
  await page.getByRole('link', { name: 'Torna al pannello' }).click();
  await expect(page.getByText('Appena è salvato si esce da soli.')).toBeVisible();
  arrives.resolve();
  await expect(page).toHaveURL(`${adminSite.server.url}/admin/dashboard`);
  expect((await stored(adminSite)).testo_istruzioni_biglietti).toBe('Poi torna qui.');
});

test('a token changed in another window is not saved over; a test that can’t be made says so', {
  tag: '@long',
}, async ({ page, adminSite, quiet }) => {
  quiet.allow(/status of 502|ERR_FAILED/);
  // Nothing is heard live of what the other window does: a channel that is open already would still tell it.
  await page.route('**/api/admin/events', (route) => route.abort());
  await elsewhere(adminSite, { telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID } as object);
  await adminSite.open('/admin/notifiche');
  await page.route('**/api/admin/notifications/test', (route) => route.fulfill(failures.proxy));
  await press(page, 'Invia un messaggio di prova');
  await expectToast(page, 'Errore durante l’invio');

  await press(page, 'Sostituisci');
  await page.getByLabel('Token del bot').fill(`987654321:${'b'.repeat(35)}`);
  await elsewhere(adminSite, { telegram_bot_token: `555555555:${'c'.repeat(31)}ZZZZ` } as object);
  await press(page, 'Salva token');
  await expectToast(
    page,
    'Intanto il token è stato cambiato in un’altra finestra: controlla qual è quello giusto e salva di nuovo.',
  );
  expect(await stored(adminSite)).toMatchObject({ telegram_bot_token_masked: '••••ZZZZ' });
});

test('a token that is only typed is saved by «Salva», and by «Salva ed esci» when the page is left', {
  tag: '@long',
}, async ({ page, adminSite }) => {
  await adminSite.open('/admin/notifiche');
  const leave = () => page.getByRole('link', { name: 'Torna al pannello' }).click();
  const asked = page.getByRole('dialog', { name: 'Modifiche non salvate' });
  await page.getByLabel('Chat ID', { exact: true }).fill(CHAT_ID);
  await page.getByLabel('Token del bot').fill('123:troppo-corto');
  await leave();
  // It can't be saved as it is.
  await expect(asked.getByRole('button', { name: 'Esci senza salvare' })).toBeVisible();
  await expect(asked.getByRole('button', { name: 'Salva ed esci' })).toHaveCount(0);
  await asked.getByRole('button', { name: 'Resta qui' }).click();
  await press(page, 'Salva');
  await expect(page.getByText(/^Un token è fatto di 6–12 cifre/)).toBeVisible();
  await page.getByLabel('Token del bot').fill(BOT_TOKEN);
  await leave();
  await asked.getByRole('button', { name: 'Salva ed esci' }).click();
  await expect(page).toHaveURL(`${adminSite.server.url}/admin/dashboard`);
  expect(await stored(adminSite)).toMatchObject({
    telegram_bot_token_masked: `••••${BOT_TOKEN.slice(-4)}`,
    telegram_chat_id: CHAT_ID,
  });

  await page.goBack();
  await press(page, 'Sostituisci');
  await page.getByLabel('Token del bot').fill(`987654321:${'b'.repeat(31)}ZZZZ`);
  await press(page, 'Salva');
  await expectToast(page, 'Token del bot salvato!');
  await expect(page.getByText('••••ZZZZ')).toBeVisible();
  await leave();
  await expect(page).toHaveURL(`${adminSite.server.url}/admin/dashboard`);
});

test('a film without a poster says so, and one that can’t be taken, too', { tag: '@long' }, async ({
  page,
  prepare,
}) => {
  const evening = await prepare(oneTrip);
  await signInAdmin(page, evening.server);
  await page.route('**/api/admin/media/video', async (route) => {
    const response = await route.fetch();
    const items = (await response.json()) as object[];
    await route.fulfill({ response, json: items.map((item) => ({ ...item, poster_url: null })) });
  });
  await page.route('**/api/admin/media/video/*/poster', (route) => route.fulfill({ status: 404, body: '' }));
  await adminPage(page, evening.server, '/admin/video');
  const missing = page.getByText(
    'Senza copertina: prima del video si vedrà uno sfondo scuro. Ferma il video dove vuoi e usa quel fotogramma.',
  );
  await expect(missing).toBeVisible();
  await press(page, 'Usa questo fotogramma come copertina');
  await expectToast(page, 'Non sono riuscito a salvare la copertina: riprova.');
  await page.unrouteAll();
  await press(page, 'Usa questo fotogramma come copertina');
  await expectToast(page, 'Copertina salvata');
  await expect(missing).toHaveCount(0);
});

test('what may disappoint is said of each file in its own words', { tag: '@long' }, async ({
  page,
  prepare,
}) => {
  const evening = await prepare(oneTrip);
  await signInAdmin(page, evening.server);
  await page.route(/\/api\/admin\/media\/(video|canzone)$/, async (route) => {
    const response = await route.fetch();
    const items = (await response.json()) as object[];
    await route.fulfill({ response, json: items.map((item) => ({ ...item, warnings: MEDIA_WARNINGS })) });
  });
  const main = page.getByRole('main');
  await adminPage(page, evening.server, '/admin/video');
  await expect(
    main.getByText('Questo video non ha audio: durante la riproduzione ci sarà silenzio.'),
  ).toBeVisible();
  await expect(main.getByText(/^Questo video è pesante per una rete mobile/)).toBeVisible();
  await expect(
    main.getByText(
      'Il volume è molto basso e dal telefono si sentirà appena: alzalo nel programma con cui hai preparato il file, esporta e carica di nuovo.',
    ),
  ).toBeVisible();
  await expect(main.getByText(/^I sottotitoli continuano dopo la fine del video/)).toBeVisible();
  await expect(
    main.getByText(
      'Il volume è molto alto e potrebbe far sobbalzare chi ascolta: abbassalo nel programma con cui hai preparato il file, esporta e carica di nuovo.',
    ),
  ).toBeVisible();
  await adminPage(page, evening.server, '/admin/musica');
  await expect(
    main.getByText(
      'Questa canzone è molto più bassa del video e dopo il video si sentirà appena: alzane il volume con un programma audio, esporta e carica di nuovo.',
    ),
  ).toBeVisible();
  await expect(
    main.getByText(
      'Questa canzone è molto più alta del video e dopo il video potrebbe far sobbalzare: abbassane il volume con un programma audio, esporta e carica di nuovo.',
    ),
  ).toBeVisible();
  await expect(main.getByText(/^Questa canzone è pesante per una rete mobile/)).toBeVisible();
  await expect(
    main.getByText('Su iPhone meno recenti questo formato può non suonare: un MP3 suona ovunque.'),
  ).toBeVisible();
});

test('a film says what it and its light version need, and that one is turned off and on', {
  tag: '@long',
}, async ({ page, prepare, quiet }) => {
  quiet.allow(/status of 404/);
  const evening = await prepare(oneTrip);
  await signInAdmin(page, evening.server);
  const light = { on: true, state: 'made', size: 7_500_000, seconds: 60 };
  const isList = /\/api\/admin\/media\/video$/;
  await page.route(isList, async (route) => {
    const response = await route.fetch();
    const items = (await response.json()) as object[];
    await route.fulfill({ response, json: items.map((item) => ({ ...item, size: 30_000_000, light })) });
  });
  const refusing = (route: Route) => route.fulfill({ status: 404, body: '' });
  await page.route('**/api/admin/media/video/*/light', refusing);
  await adminPage(page, evening.server, '/admin/video');
  const main = page.getByRole('main');
  const wanted = main.getByRole('switch', { name: /^Versione leggera/ });
  await expect(main.getByText('Originale: 28,6 MB, con il 4G parte in 2 s')).toBeVisible();
  await expect(main.getByText('Leggera: 7,2 MB, con il 4G parte in 1 s')).toBeVisible();
  await expect(main.getByText('Su una rete lenta si vede questa, così il video non si ferma.')).toBeVisible();
  await wanted.press(' ');
  await expectToast(page, 'Non sono riuscito a cambiare la versione leggera: riprova.');
  await expect(wanted).toBeChecked();

  await page.unroute('**/api/admin/media/video/*/light', refusing);
  await page.unroute(isList);
  await wanted.press(' ');
  await expect(main.getByText('Spenta: si vede sempre l’originale, anche su una rete lenta.')).toBeVisible();
  await page.reload();
  await expect(wanted).not.toBeChecked();
  await wanted.press(' ');
  // The evening's own film is small.
  await expect(main.getByText('Versione leggera: Non serve: questo video è già leggero.')).toBeVisible();
  await expect(wanted).toHaveCount(0);
});

test('a song that can’t be played says so', { tag: '@long' }, async ({ page, prepare, quiet }) => {
  quiet.allow(/status of 404/);
  const evening = await prepare(oneTrip);
  await signInAdmin(page, evening.server);
  await page.route('**/api/media/*.mp3', (route) => route.fulfill({ status: 404, body: '' }));
  await adminPage(page, evening.server, '/admin/musica');
  await press(page, 'Riproduci');
  await expectToast(page, 'Impossibile riprodurre la canzone');
});

test('an upload for which nobody signs in again says so, and goes on by «Riprova»', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  await adminSite.open('/admin/immagine');
  await endSessionBeforeUpload(page, adminSite);
  await page
    .getByLabel('File: Immagine della destinazione')
    .setInputFiles(resolve(import.meta.dirname, '../fixtures/picture.jpg'));
  const again = page.getByRole('dialog', { name: 'Sessione scaduta' });
  await again.getByRole('button', { name: 'Annulla' }).click();
  await expectToast(page, 'Sessione scaduta. Accedi di nuovo.');
  await press(page, 'Riprova');
  await again.getByLabel('Password').fill(account.password);
  await again.getByRole('button', { name: 'Accedi' }).click();
  await expectToast(page, 'Immagine caricata e salvata!');
});
