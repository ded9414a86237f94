import type { Locator, Page } from '@playwright/test';
import { BOT_TOKEN, CHAT_ID } from '../support/telegram.ts';
import { expectFingerSized } from './support/accessible.ts';
import { adminPage, expect, laptop, signInAdmin, test } from './support/admin.ts';
import type { Evening } from './support/stage.ts';
import { but, oneTrip, twoTrips, words } from './support/surprises.ts';

/** «Anteprima Configurazione»: what is configured, what lacks, and the evening stage by stage. */

const PREVIEW = '/admin/preview';
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** The value that stands beside a name in a card. */
const value = (of: Locator, name: string) =>
  of
    .locator('dl > div')
    .filter({ has: of.page().getByText(name, { exact: true }) })
    .locator('dd');

async function open(page: Page, evening: Evening): Promise<void> {
  await signInAdmin(page, evening.server);
  await adminPage(page, evening.server, PREVIEW);
  await expect(card(page, 'Video principale')).toBeVisible();
}

async function save(evening: Evening, fields: Record<string, unknown>): Promise<void> {
  const { versione } = await evening.admin.call<{ versione: number }>('GET', '/admin/config');
  await evening.admin.call('PATCH', '/admin/config', { versione, fields });
}

test('nothing configured: each gap is listed with its page, every card says so', async ({
  page,
  adminSite,
}) => {
  await adminSite.open(PREVIEW);
  const warning = page.getByRole('alert').filter({ hasText: 'Configurazione incompleta' });
  await expect(warning.getByRole('listitem')).toHaveCount(2);
  await expect(warning.getByRole('link', { name: /^Manca il video principale/ })).toHaveAttribute(
    'href',
    '/admin/video',
  );
  await expect(warning.getByRole('link', { name: /^Mancano le frasi post-video/ })).toHaveAttribute(
    'href',
    '/admin/frasi#frasi',
  );

  const expected: [string, string, string][] = [
    ['Video principale', 'Configura Video', 'Non configurato'],
    ['Frasi pre-video', 'Aggiungi Frasi', 'Non configurata'],
    ['Frasi post-video', 'Aggiungi Frasi', 'Non configurata'],
    ['Canzone', 'Aggiungi Canzone', 'Non configurata'],
    ['Domande checkbox', 'Modifica Domande', 'Domande non configurate'],
    ['Frasi finali', 'Aggiungi Frasi', 'Non configurata'],
  ];
  for (const [name, action, missing] of expected) {
    await expect(card(page, name).getByRole('link', { name: action })).toBeVisible();
    await expect(card(page, name).getByText(missing, { exact: true }).first()).toBeVisible();
  }
  const trip = card(page, 'Dettagli viaggio');
  for (const name of ['Data partenza', 'Data ritorno', 'Immagine destinazione'])
    await expect(value(trip, name)).toHaveText('Non configurata');
  for (const name of ['Biglietti', 'Titolo destinazione', 'Titolo viaggio'])
    await expect(value(trip, name)).toHaveText('Non configurato');
  await expect(value(trip, 'Durata immagine')).toHaveText('5 secondi');
  const notifications = card(page, 'Impostazioni notifiche');
  for (const name of ['Bot token', 'Chat ID'])
    await expect(value(notifications, name)).toHaveText('Non configurato');
  await expectValues(card(page, 'La serata'), {
    'Data di laurea': 'Non configurata',
    Contatto: 'Non configurato',
  });
  await expect(page.getByRole('link', { name: 'Aggiungi un secondo viaggio' })).toHaveAttribute(
    'href',
    '/admin/second-trip-phrases',
  );
});

test('each gap goes when it is filled, while the page is open', { tag: '@long' }, async ({
  page,
  prepare,
}) => {
  const evening = await prepare(but(oneTrip, { config: { frasi: ['  '] } }));
  await open(page, evening);
  const warning = page.getByRole('alert').filter({ hasText: 'Configurazione incompleta' });
  await expect(warning.getByRole('listitem')).toHaveText([/^Mancano le frasi post-video/]);
  await expect(card(page, 'Frasi post-video')).toContainText('1 frase vuota non verrà mostrata');
  await save(evening, { frasi: ['Adesso sì'] });
  await expect(warning).toHaveCount(0);
  await expect(card(page, 'Frasi post-video')).toContainText('1 frase · 6 secondi ciascuna');
  // One that takes longer to be read lengthens its time, unless its list keeps the chosen seconds.
  await save(evening, { frasi: ['Adesso sì', 'x'.repeat(240)] });
  await expect(card(page, 'Frasi post-video')).toContainText('2 frasi · almeno 6 secondi ciascuna');
  await save(evening, { frasi_secondi_esatti: ['frasi'] });
  await expect(card(page, 'Frasi post-video')).toContainText('2 frasi · 6 secondi ciascuna');
  await save(evening, { video_url: null });
  await expect(warning.getByRole('listitem')).toHaveText([/^Manca il video principale/]);
});

test.describe('everything configured', () => {
  test.use(laptop);

  test('every card shows its values; the bot token only behind dots', { tag: '@long' }, async ({
    page,
    prepare,
  }) => {
    const evening = await prepare(
      but(twoTrips, {
        config: {
          durata_frase_secondi: 7.5,
          durata_immagine_destinazione_secondi: 9,
          video_playback_rate: 1.25,
          video_button_text: 'Parti con me',
          testo_istruzioni_biglietti: 'Torna qui dopo',
          data_partenza_2: '7 gennaio 2028',
          testo_istruzioni_biglietti_2: 'Porta gli sci',
        },
      }),
    );
    await save(evening, { telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID });
    const answered = texts(page);
    await open(page, evening);
    await expect(page.getByText('Configurazione incompleta')).toHaveCount(0);

    const video = card(page, 'Video principale');
    const player = video.getByLabel('Il video principale');
    await expect.poll(() => player.evaluate((film: HTMLVideoElement) => film.duration)).toBeCloseTo(3, 0);
    await expect(value(video, 'Velocità')).toHaveText('1,25x');
    await expect(value(video, 'Testo del pulsante')).toHaveText('Parti con me');
    await expect(card(page, 'Canzone').getByLabel('La canzone')).toHaveAttribute('src', /^\/api\/media\//);

    const lists: [string, readonly string[]][] = [
      ['Frasi pre-video', words.pre],
      ['Frasi post-video', words.post],
      ['Frasi tra i viaggi', words.between],
      ['Frasi del secondo viaggio', words.second],
      ['Frasi finali del secondo viaggio', words.final],
    ];
    for (const [name, phrases] of lists) {
      const counted = phrases.length === 1 ? '1 frase' : `${phrases.length} frasi`;
      await expect(card(page, name).getByText(`${counted} · 7,5 secondi ciascuna`)).toBeVisible();
      await expect(card(page, name).getByRole('listitem')).toHaveText([...phrases]);
    }
    await expectValues(card(page, 'Dettagli viaggio'), {
      'Data partenza': '3 marzo 2027',
      'Data ritorno': '6 marzo 2027',
      'Titolo destinazione': 'Lisbona',
      'Titolo viaggio': 'Tre giorni a Lisbona',
      'Durata immagine': '9 secondi',
      Testo: 'Torna qui dopo',
    });
    await expectValues(card(page, 'Dettagli secondo viaggio'), {
      'Data partenza': '7 gennaio 2028',
      'Data ritorno': 'Non configurata',
      'Titolo destinazione': 'Dolomiti',
      'Titolo viaggio': 'La neve vera',
      'Istruzioni biglietti': 'Porta gli sci',
    });
    for (const name of ['Dettagli viaggio', 'Dettagli secondo viaggio']) {
      const picture = card(page, name).getByRole('img', { name: /immagine della destinazione/ });
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
        .toBeGreaterThan(0);
    }
    await expectValues(card(page, 'Domande checkbox'), {
      'Domanda 1': words.domanda_1,
      'Domanda 2': words.domanda_2,
    });
    await expectValues(card(page, 'Domande del secondo viaggio'), {
      'Domanda 1': words.domanda_1_viaggio_2,
      'Domanda 2': words.domanda_2_viaggio_2,
    });
    await expectValues(card(page, 'Frasi finali'), {
      'Due Sì': words.closing.entrambi_si,
      'Due No': words.closing.entrambi_no,
      'Un Sì e un No': words.closing.misto,
    });
    await expectValues(card(page, 'Impostazioni notifiche'), {
      'Bot token': `••••${BOT_TOKEN.slice(-4)}`,
      'Chat ID': CHAT_ID,
    });
    await expectValues(card(page, 'La serata'), { Contatto: '@marco' });
    const secret = BOT_TOKEN.split(':')[1] ?? '';
    expect((await answered()).filter((text) => text.includes(secret))).toEqual([]);
    expect(await page.content()).not.toContain(secret);
  });

  test('each link leads to the page that changes it, the back arrow to the dashboard, the tickets to a tab of their own', {
    tag: '@long',
  }, async ({ page, prepare }) => {
    const evening = await prepare(twoTrips);
    await open(page, evening);
    const leads: [string, string, string][] = [
      ['Video principale', 'Modifica', '/admin/video'],
      ['Frasi pre-video', 'Modifica', '/admin/frasi'],
      ['Frasi post-video', 'Modifica', '/admin/frasi#frasi'],
      ['Canzone', 'Modifica', '/admin/musica'],
      ['Dettagli viaggio', 'Modifica', '/admin/immagine'],
      ['Testi personalizzati', 'Modifica', '/admin/testi-destinazione'],
      ['Istruzioni biglietti', 'Modifica', '/admin/ticket-instruction'],
      ['Domande checkbox', 'Modifica Domande', '/admin/checkbox'],
      ['Frasi finali', 'Modifica', '/admin/frasi-finali'],
      ['Frasi tra i viaggi', 'Modifica', '/admin/intermediate-phrases'],
      ['Frasi del secondo viaggio', 'Modifica', '/admin/second-trip-phrases'],
      ['Dettagli secondo viaggio', 'Modifica', '/admin/second-trip-details'],
      ['Domande del secondo viaggio', 'Modifica Domande', '/admin/second-trip-checkbox'],
      ['Frasi finali del secondo viaggio', 'Modifica', '/admin/second-trip-final-phrases'],
      ['La serata', 'Modifica', '/admin/serata'],
      ['Impostazioni notifiche', 'Modifica', '/admin/notifiche'],
    ];
    for (const [name, action, path] of leads) {
      const link = card(page, name).getByRole('link', { name: action, exact: true }).first();
      await expect(link).toHaveAttribute('href', path);
    }
    const tickets = card(page, 'Dettagli secondo viaggio').getByRole('link', {
      name: 'Visualizza biglietti',
    });
    await expect(tickets).toHaveAttribute('target', '_blank');
    const file = await page.request.get(`${evening.server.url}${await tickets.getAttribute('href')}`);
    expect([file.status(), file.headers()['content-type']]).toEqual([200, 'image/png']);

    await card(page, 'Testi personalizzati').getByRole('link', { name: 'Modifica' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Testi della destinazione' })).toBeFocused();
    await page.goBack();
    await page.getByRole('link', { name: 'Torna al pannello' }).click();
    await expect(page).toHaveURL(`${evening.server.url}/admin/dashboard`);
  });
});

test('the strip has every stage in its order; a tap shows it large, by the scenes of the evening', async ({
  page,
  prepare,
}) => {
  const evening = await prepare(twoTrips);
  await open(page, evening);
  const strip = page.getByRole('list', { name: 'Le scene della serata' });
  const names = [
    'Prima del video',
    'Video',
    'Dopo il video',
    'Destinazione',
    'Biglietti',
    'Domande',
    'Tra i viaggi',
    'Secondo viaggio',
    'Seconda destinazione',
    'Secondi biglietti',
    'Seconde domande',
    'Chiusura',
  ];
  await expect(strip.getByRole('button')).toHaveText(names);
  const seen: Record<string, string> = {
    Video: 'Inizia Esperienza',
    Destinazione: 'Lisbona',
    Biglietti: '3 marzo 2027',
    Domande: words.domanda_1,
    'Tra i viaggi': words.between[0],
    'Seconda destinazione': 'Dolomiti',
    'Secondi biglietti': 'La neve vera',
    'Seconde domande': words.domanda_1_viaggio_2,
    Chiusura: words.final[0],
  };
  for (const [name, text] of Object.entries(seen)) {
    const choose = strip.getByRole('button', { name, exact: true });
    await choose.tap();
    await expect(choose).toHaveAttribute('aria-pressed', 'true');
    const place = `${name} · ${names.indexOf(name) + 1} di 12`;
    await expect(
      page.frameLocator(`iframe[title="${place}"]`).getByText(text, { exact: true }).first(),
    ).toBeAttached();
    await expect(
      strip.frameLocator(`iframe[title="${name}"]`).getByText(text, { exact: true }).first(),
    ).toBeAttached();
  }
});

test('whatever a finger presses on the preview is as large as a fingertip', { tag: '@long' }, async ({
  page,
  prepare,
}) => {
  const evening = await prepare(twoTrips);
  await open(page, evening);
  await expectFingerSized(page);
  await save(evening, { frasi: [] });
  await expect(page.getByText('Configurazione incompleta')).toBeVisible();
  await expectFingerSized(page);
});

test('a single trip closes in three ways, each to be looked at', { tag: '@long' }, async ({
  page,
  prepare,
}) => {
  const evening = await prepare(oneTrip);
  await open(page, evening);
  const strip = page.getByRole('list', { name: 'Le scene della serata' });
  await expect(strip.getByRole('button')).toHaveCount(7);
  await strip.getByRole('button', { name: 'Chiusura' }).tap();
  const large = page.frameLocator('iframe[title="Chiusura · 7 di 7"]');
  for (const [choice, text] of [
    ['Due Sì', words.closing.entrambi_si],
    ['Due No', words.closing.entrambi_no],
    ['Un Sì e un No', words.closing.misto],
  ] as const) {
    await page
      .getByRole('radiogroup', { name: 'Frase finale dopo' })
      .getByText(choice, { exact: true })
      .tap();
    await expect(large.getByText(text, { exact: true })).toBeAttached();
  }
});

async function expectValues(of: Locator, values: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(values)) await expect(value(of, name)).toHaveText(text);
}

/** Everything the server has said to the page, once it is asked for. */
function texts(page: Page): () => Promise<string[]> {
  const said: Promise<string>[] = [];
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (/json|html|javascript/.test(type)) said.push(response.text().catch(() => ''));
  });
  return () => Promise.all(said);
}
