import { account, endSessionsAtSave, expect, laptop, test } from './support/admin.ts';
import { elsewhere, expectToast, failing, failures, phone, place, save, stored } from './support/content.ts';
import { held, inTime } from './support/stage.ts';

/** The pages that are forms: what is written is seen on the phone, saved in the specification's words, and never lost. */

test.use(laptop);

const network = 'Connessione assente. Controlla la rete e riprova.';

test('each form shows what is written on her phone, and saves it', async ({ page, adminSite }) => {
  test.slow();
  await test.step('/admin/video-button', async () => {
    await adminSite.open('/admin/video-button');
    await expect(page.getByLabel('Testo del pulsante')).toHaveValue('Inizia Esperienza');
    await page.getByLabel('Testo del pulsante').fill('  Parti con me  ');
    await expect(page.getByText('Non salvato').or(page.getByText('Salvato', { exact: true }))).toBeVisible();
    await expect(
      phone(page).getByRole('button', { name: 'Parti con me', includeHidden: true }),
    ).toBeVisible();
    await save(page);
    await expectToast(page, 'Testo del pulsante salvato!');
    await expect(page.getByLabel('Testo del pulsante')).toHaveValue('Parti con me');
    await expect(page.getByText('Salvato', { exact: true })).toBeVisible();
    expect((await stored(adminSite)).video_button_text).toBe('Parti con me');
    // The keyboard goes past the phone, not into it.
    await page.getByRole('button', { name: 'Salva', exact: true }).focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Rivedi' })).toBeFocused();
  });
  await test.step('/admin/frasi-finali', async () => {
    await adminSite.open('/admin/frasi-finali');
    const frasi_finali = { entrambi_si: 'Ti amo.', entrambi_no: 'Ti aspetto.', misto: 'Insieme.' };
    await page.getByLabel('Se risponde due volte sì').fill(frasi_finali.entrambi_si);
    await expect(phone(page).getByText('Ti amo.')).toBeVisible();
    await page.getByLabel('Se risponde due volte no').fill(frasi_finali.entrambi_no);
    await expect(phone(page).getByText('Ti aspetto.')).toBeVisible();
    await page.getByLabel('Se risponde un sì e un no').fill(frasi_finali.misto);
    await expect(phone(page).getByText('Insieme.')).toBeVisible();
    await save(page);
    await expectToast(page, 'Frasi finali salvate con successo!');
    expect((await stored(adminSite)).frasi_finali).toEqual(frasi_finali);
  });
  await test.step('/admin/testi-destinazione', async () => {
    await adminSite.open('/admin/testi-destinazione');
    const seen = page.locator('iframe[data-ready=true]').first().contentFrame();
    await expect(seen.getByText('Ancora nessuna immagine: questo momento viene saltato.')).toBeVisible();
    await expect(page.getByLabel('Titolo della destinazione')).toHaveValue('Destinazione');
    await page.getByLabel('Titolo della destinazione').fill(' Lisbona ');
    await page.getByLabel('Titolo del viaggio').fill(' Noi due ');
    await page.getByLabel(/Durata dell’immagine/).fill('12');
    // Without a picture the card is where they are seen.
    await expect(seen.getByRole('heading', { name: 'Noi due', includeHidden: true })).toBeVisible();
    await expect(seen.getByText('Lisbona')).toBeVisible();
    await save(place(page, 'Testi della destinazione'));
    await expectToast(page, 'Configurazione salvata con successo!');
    expect(await stored(adminSite)).toMatchObject({
      titolo_destinazione: 'Lisbona',
      titolo_viaggio: 'Noi due',
      durata_immagine_destinazione_secondi: 12,
    });
  });
  await test.step('/admin/ticket-instruction', async () => {
    await adminSite.open('/admin/ticket-instruction');
    const field = page.getByLabel('Istruzioni', { exact: true });
    await expect(field).toHaveValue('P.S dopo aver visto i biglietti torna sul sito');
    await field.fill('Poi torna qui.');
    const card = page.locator('iframe[data-ready=true]').last().contentFrame();
    await expect(card.getByText('Poi torna qui.')).toBeVisible();
    await save(place(page, 'Istruzioni dei biglietti'));
    await expectToast(page, 'Testo salvato con successo!');
    expect((await stored(adminSite)).testo_istruzioni_biglietti).toBe('Poi torna qui.');
  });
});

test('what a form refuses, it says', { tag: '@long' }, async ({ page, adminSite }) => {
  await adminSite.open('/admin/video-button');
  const button = page.getByLabel('Testo del pulsante');
  const saveButton = page.getByRole('button', { name: 'Salva', exact: true });
  await button.fill('   ');
  await expect(saveButton).toBeDisabled();
  await expect(page.getByText('Il testo del pulsante non può essere vuoto').first()).toBeVisible();
  await button.press('Enter');
  await expectToast(page, 'Il testo del pulsante non può essere vuoto');
  await button.fill('');
  await button.pressSequentially('x'.repeat(41));
  await expect(page.getByText('41 / 50')).toBeVisible();
  await button.pressSequentially('y'.repeat(20));
  await expect(button).toHaveValue('x'.repeat(41) + 'y'.repeat(9));
  await expect(saveButton).toBeEnabled();
  await page.getByRole('link', { name: 'Destinazione e biglietti' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Destinazione e biglietti' })).toBeVisible();
  expect((await stored(adminSite)).video_button_text).toBe('x'.repeat(41) + 'y'.repeat(9));

  const texts = place(page, 'Testi della destinazione');
  const title = page.getByLabel('Titolo del viaggio');
  await title.fill('  ');
  await save(texts);
  await expectToast(page, 'Compila entrambi i campi di testo');
  await expect(title).toBeFocused();
  await title.fill('Noi');
  for (const seconds of ['0', '31', '']) {
    await page.getByLabel(/Durata dell’immagine/).fill(seconds);
    await save(texts);
    await expect(page.getByRole('main').getByText('La durata deve essere tra 1 e 30 secondi')).toBeVisible();
  }
  await expectToast(page, 'La durata deve essere tra 1 e 30 secondi');
  await page.getByLabel(/Durata dell’immagine/).fill('30');
  await save(texts);
  await expectToast(page, 'Configurazione salvata con successo!');

  await adminSite.open('/admin/ticket-instruction');
  await page.getByLabel('Istruzioni', { exact: true }).fill(' ');
  await expect(
    place(page, 'Istruzioni dei biglietti').getByRole('button', { name: 'Salva', exact: true }),
  ).toBeDisabled();
  expect((await stored(adminSite)).testo_istruzioni_biglietti).toBeNull();
});

type FormPage = { path: string; place?: string; load: string; save: string; title?: string };
const pages: FormPage[] = [
  { path: '/admin/video-button', load: 'Errore nel caricamento', save: 'Errore nel salvataggio' },
  {
    path: '/admin/frasi-finali',
    load: 'Impossibile caricare le frasi finali',
    save: 'Impossibile salvare le frasi',
  },
  {
    path: '/admin/testi-destinazione',
    place: 'Testi della destinazione',
    load: 'Errore nel caricamento della configurazione',
    save: 'Errore durante il salvataggio',
  },
  {
    path: '/admin/ticket-instruction',
    place: 'Istruzioni dei biglietti',
    load: 'Errore nel caricamento della configurazione',
    save: 'Errore nel salvataggio del testo',
  },
  {
    path: '/admin/intermediate-phrases',
    load: 'Errore nel caricamento delle frasi',
    save: 'Errore nel salvataggio delle frasi',
  },
  {
    path: '/admin/second-trip-phrases',
    load: 'Impossibile caricare le frasi del secondo viaggio',
    save: 'Impossibile salvare le frasi',
    title: 'Errore',
  },
  {
    path: '/admin/second-trip-final-phrases',
    load: 'Impossibile caricare le frasi finali',
    save: 'Impossibile salvare le frasi',
  },
];

test('a page that can’t be read says so and tries again; one that can’t be saved keeps its text', {
  tag: '@long',
}, async ({ page, adminSite, quiet }) => {
  test.slow();
  quiet.allow(/status of 502/);
  await elsewhere(adminSite, {
    frasi_tra_viaggi: ['a'],
    frasi_secondo_viaggio: ['b'],
    frasi_finali_secondo_viaggio: ['c'],
  });
  await page.clock.install();
  for (const { path, place: part, load, save: unsaved, title } of pages) {
    await test.step(path, async () => {
      const told = (sentence: string) =>
        title === undefined ? expectToast(page, sentence) : expectToast(page, title, sentence);
      const readable = await failing(page, 'GET', failures.proxy);
      await adminSite.open(path);
      // The tries before it gives up wait 1, 2 and 4 seconds.
      await inTime(page, page.locator('[data-sonner-toast]').filter({ hasText: load }));
      await told(load);
      await readable();
      await page.getByRole('main').getByRole('button', { name: 'Riprova' }).click();
      const where = part === undefined ? page.locator('main') : place(page, part);
      const field = where.locator('input:not([type=radio]), textarea:not([aria-hidden])').first();
      await field.fill('Scritto adesso');
      const savable = await failing(page, 'PATCH', failures.proxy);
      await save(where);
      await told(unsaved);
      await expect(field).toHaveValue('Scritto adesso');
      await expect(page.getByRole('main').getByRole('alert').getByText(unsaved)).toBeVisible();
      await savable();
      await page.getByRole('main').getByRole('button', { name: 'Riprova' }).click();
      await expect(where.getByText('Salvato', { exact: true })).toBeVisible();
    });
  }
});

test('a lost network keeps the text; a missing configuration has its own sentence', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/ERR_FAILED|status of 404/);
  await elsewhere(adminSite, { titolo_viaggio: 'Noi' });
  await adminSite.open('/admin/ticket-instruction');
  const field = page.getByLabel('Istruzioni', { exact: true });
  await field.fill('Parole nuove');
  const back = await failing(page, 'PATCH', 'offline');
  await save(place(page, 'Istruzioni dei biglietti'));
  await expectToast(page, network);
  await expect(field).toHaveValue('Parole nuove');
  // Somebody put another database in the place of this one.
  await adminSite.server.deps.db.deleteFrom('admin_config').execute();
  await back();
  await page.getByRole('button', { name: 'Riprova' }).click();
  await expectToast(page, 'Configurazione non trovata');
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert.getByText('Configurazione non trovata')).toBeVisible();
  await page.getByRole('button', { name: 'Riprova' }).click();
  await expectToast(page, 'Testo salvato con successo!');
  expect((await stored(adminSite)).testo_istruzioni_biglietti).toBe('Parole nuove');
});

test('two windows: other fields are brought together, the same text is chosen', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/ERR_FAILED/);
  // Nothing is heard live of what the other window does.
  await page.route('**/api/admin/events', (route) => route.abort());
  await adminSite.open('/admin/frasi-finali');
  const yes = page.getByLabel('Se risponde due volte sì');
  await elsewhere(adminSite, { frasi_finali: { entrambi_si: '', entrambi_no: 'Loro', misto: '' } });
  await yes.fill('Mia');
  await save(page);
  await expectToast(page, 'Frasi finali salvate con successo!');
  await expect(page.getByLabel('Se risponde due volte no')).toHaveValue('Loro');
  expect((await stored(adminSite)).frasi_finali).toEqual({
    entrambi_si: 'Mia',
    entrambi_no: 'Loro',
    misto: '',
  });

  await elsewhere(adminSite, {
    frasi_finali: { entrambi_si: 'Loro, meglio', entrambi_no: 'Loro', misto: '' },
  });
  // It need not be asked to save.
  await yes.fill('Mia, meglio');
  await expect(page.getByText('Modificato altrove')).toBeVisible();
  const choice = page.getByRole('group', { name: 'Se risponde due volte sì' });
  await expect(choice.getByText('Mia, meglio')).toBeVisible();
  await expect(choice.getByText('Loro, meglio')).toBeVisible();
  expect((await stored(adminSite)).frasi_finali).toMatchObject({ entrambi_si: 'Loro, meglio' });
  await choice.getByRole('button', { name: 'Tieni il mio testo' }).click();
  await expect(choice).toBeHidden();
  await expect(page.getByText('Salvato', { exact: true })).toBeVisible();
  expect((await stored(adminSite)).frasi_finali).toMatchObject({ entrambi_si: 'Mia, meglio' });

  await elsewhere(adminSite, {
    frasi_finali: { entrambi_si: 'Loro ancora', entrambi_no: 'Loro', misto: '' },
  });
  await yes.fill('Mia ancora');
  await page.getByRole('button', { name: 'Usa l’altro' }).click();
  await expect(yes).toHaveValue('Loro ancora');
  await expect(page.getByText('Salvato', { exact: true })).toBeVisible();
});

test('a session that ends while somebody writes asks to sign in, and the save goes on', async ({
  page,
  adminSite,
}) => {
  await adminSite.open('/admin/video-button');
  await endSessionsAtSave(page, adminSite.server, async () => {
    await page.getByLabel('Testo del pulsante').fill('Non mi perdere');
    await save(page);
  });
  const dialog = page.getByRole('dialog', { name: 'Sessione scaduta' });
  await dialog.getByLabel('Password').fill(account.password);
  await dialog.getByRole('button', { name: 'Accedi' }).click();
  await expectToast(page, 'Testo del pulsante salvato!');
  await expect(page.getByLabel('Testo del pulsante')).toHaveValue('Non mi perdere');
  const { video_button_text } = await adminSite.server.deps.db
    .selectFrom('admin_config')
    .select('video_button_text')
    .executeTakeFirstOrThrow();
  expect(video_button_text).toBe('Non mi perdere');
});

test('what is typed saves itself, quietly; leaving saves what is left', async ({ page, adminSite }) => {
  await adminSite.open('/admin/frasi-finali');
  const yes = page.getByLabel('Se risponde due volte sì');
  await yes.pressSequentially('Ti amo ');
  await expect.poll(async () => (await stored(adminSite)).frasi_finali?.entrambi_si).toBe('Ti amo ');
  await expect(page.getByText('Salvato', { exact: true })).toBeVisible();
  await yes.pressSequentially('tanto');
  await expect(yes).toHaveValue('Ti amo tanto');
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  await page.getByRole('link', { name: 'Torna al pannello' }).click();
  await expect(page).toHaveURL(/dashboard$/);
  expect((await stored(adminSite)).frasi_finali?.entrambi_si).toBe('Ti amo tanto');
  await adminSite.open('/admin/testi-destinazione');
  await page.getByLabel('Titolo della destinazione').press('End');
  await page.keyboard.type(' del cuore ');
  await expect.poll(async () => (await stored(adminSite)).titolo_destinazione).toBe('Destinazione del cuore');
  // Nobody's spaces are taken away while they write.
  await page.keyboard.type('mio');
  await expect(page.getByLabel('Titolo della destinazione')).toHaveValue('Destinazione del cuore mio');
  await expect.poll(async () => (await stored(adminSite)).titolo_destinazione).toMatch(/mio$/);
  // Who presses «Salva» leaves the field, too: it is saved once, told, and shown as it is stored.
  const saves: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') saves.push(request.url());
  });
  const title = page.getByLabel('Titolo della destinazione');
  await page.clock.install();
  await held(page, async () => {
    await title.fill('  Lisbona  ');
    await title.evaluate((input: HTMLInputElement) => {
      input.blur();
      input.form?.requestSubmit();
    });
  });
  await expectToast(page, 'Configurazione salvata con successo!');
  expect(saves).toHaveLength(1);
  await expect(title).toHaveValue('Lisbona');
});

test('what is half written is no error yet, and isn’t saved', async ({ page, adminSite }) => {
  await adminSite.open('/admin/checkbox');
  const why = page.getByText('Scrivi tutte e due le domande per salvare.');
  await expect(why).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Salva', exact: true })).toBeDisabled();
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0);
  await page.getByLabel('Prima domanda').fill('Partiamo?');
  await expect(page.getByText('Non salvato', { exact: true })).toBeVisible();
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0);
  // Only what was written and emptied again is wrong.
  await page.getByLabel('Seconda domanda').fill('x');
  await page.getByLabel('Seconda domanda').fill('');
  await expect(page.getByLabel('Seconda domanda')).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('link', { name: 'Torna al pannello' }).click();
  const leaving = page.getByRole('dialog', { name: 'Modifiche non salvate' });
  await expect(leaving.getByRole('button', { name: 'Salva ed esci' })).toHaveCount(0);
  await leaving.getByRole('button', { name: 'Resta qui' }).click();
  await page.getByLabel('Seconda domanda').fill('Ceniamo?');
  await expect
    .poll(() => adminSite.admin.call('GET', '/admin/questions'))
    .toMatchObject({ domanda_1: 'Partiamo?', domanda_2: 'Ceniamo?' });
});

test('what can’t be saved is asked about, survives a reload, and is offered back', async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/ERR_FAILED/);
  await adminSite.open('/admin/video-button');
  const field = page.getByLabel('Testo del pulsante');
  const back = await failing(page, 'PATCH', 'offline');
  await field.fill('Bozza');
  await page.getByRole('link', { name: 'Torna al pannello' }).click();
  const leaving = page.getByRole('dialog', { name: 'Modifiche non salvate' });
  await leaving.getByRole('button', { name: 'Resta qui' }).click();
  await expect(field).toHaveValue('Bozza');

  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(field).toHaveValue('Inizia Esperienza');
  await page.getByRole('button', { name: 'Ripristina il testo non salvato' }).click();
  await expect(field).toHaveValue('Bozza');
  // Meanwhile somebody else saved the same field: the draft remembers what it began with.
  await elsewhere(adminSite, { video_button_text: 'Altro' });
  await back();
  await save(page);
  await page.getByRole('button', { name: 'Tieni il mio testo' }).click();
  await expectToast(page, 'Testo del pulsante salvato!');
  expect((await stored(adminSite)).video_button_text).toBe('Bozza');

  const again = await failing(page, 'PATCH', 'offline');
  await field.fill('Bozza due');
  await expect(page.getByRole('alert').getByText(network)).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Scarta' }).click();
  await expect(page.getByRole('button', { name: 'Scarta' })).toBeHidden();
  await page.reload();
  await expect(field).toHaveValue('Bozza');
  await expect(page.getByRole('button', { name: 'Scarta' })).toBeHidden();

  // «Salva ed esci» is offered where it may go better the next time.
  await field.fill('Bozza tre');
  await page.getByRole('link', { name: 'Torna al pannello' }).click();
  await expect(leaving.getByText(/non è ancora salvato/)).toBeVisible();
  await again();
  await leaving.getByRole('button', { name: 'Salva ed esci' }).click();
  await expect(page).toHaveURL(/dashboard$/);
  expect((await stored(adminSite)).video_button_text).toBe('Bozza tre');
});
