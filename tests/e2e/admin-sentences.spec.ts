import { resolve } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { UPLOADS } from '../../src/domain/limits.ts';
import { startServer } from '../support/server.ts';
import { announce, cancel, idOf } from '../support/uploads.ts';
import { type AdminSite, adminPage, expect, laptop, signInAdmin, test } from './support/admin.ts';
import { expectToast, failures, place, save, stored } from './support/content.ts';
import { type Evening, goneInTime, inTime } from './support/stage.ts';
import { twoTrips } from './support/surprises.ts';

/**
 * The specification's sentences for the administrator, each after its cause: on the pages whose other tests don't make it appear. What a
 * call answers is taken off the wire here; that the calls do what they say is shown elsewhere.
 */
test.use(laptop);

const fixture = (name: string) => resolve(import.meta.dirname, '../fixtures', name);
const api = (path: string) => `**/api/admin/${path}`;
const retry = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Riprova' });
const question = (page: Page, sentence: string) => page.getByRole('dialog', { name: sentence });
const row = (page: Page, nome: string) => page.getByRole('listitem').filter({ hasText: nome });
/** Buttons that ask before they act come before the others of that name. */
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

/** Lets calls with these methods fail as a proxy does, until the returned function is called. */
async function breaking(page: Page, path: string, methods: string[]): Promise<() => Promise<void>> {
  await page.route(api(path), (route) =>
    methods.includes(route.request().method()) ? route.fulfill(failures.proxy) : route.fallback(),
  );
  return () => page.unroute(api(path));
}

/** What the page leaves in the console. */
function consoleOf(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(message.text()));
  return lines;
}

async function openEvening(page: Page, evening: Evening, path: string): Promise<void> {
  await signInAdmin(page, evening.server);
  await adminPage(page, evening.server, path);
}

type Unread = [path: string, call: string, sentence: string];
const unread: Record<string, Unread[]> = {
  'of what she will see': [
    ['/admin/video', 'config', 'Errore nel caricamento della configurazione'],
    ['/admin/frasi', 'config', 'Errore nel caricamento'],
    ['/admin/immagine', 'config', 'Errore nel caricamento della configurazione'],
    ['/admin/immagine', 'media/immagine', 'Errore nel caricamento'],
    ['/admin/biglietti', 'media/biglietti', 'Errore nel caricamento'],
    ['/admin/musica', 'media/canzone', 'Errore nel caricamento'],
    ['/admin/second-trip-checkbox', 'questions', 'Errore nel caricamento delle domande'],
    ['/admin/preview', 'config', 'Errore nel caricamento della configurazione'],
  ],
  'of what has happened': [
    ['/admin/dashboard', 'dashboard', 'Errore nel caricamento'],
    ['/admin/dashboard', 'questions', 'Errore nel caricamento'],
    ['/admin/checkbox', 'answers', 'Errore nel caricamento'],
    ['/admin/token', 'tokens', 'Errore nel caricamento'],
    ['/admin/notifiche', 'config', 'Errore nel caricamento della configurazione'],
    ['/admin/serata', 'config', 'Errore nel caricamento della configurazione'],
    ['/admin/notifiche', 'notifications', 'Errore nel caricamento'],
    ['/admin/sessions', 'sessions', 'Errore caricamento sessioni'],
    ['/admin/logs', 'logs*', 'Errore caricamento log'],
  ],
};

for (const [what, rows] of Object.entries(unread)) {
  test(`what can’t be read ${what} is told in a notice, in the page and in the console, and «Riprova» reads it`, {
    tag: '@long',
  }, async ({ page, adminSite, quiet }) => {
    test.slow();
    quiet.allow(/status of 502/);
    const lines = consoleOf(page);
    await page.clock.install();
    for (const [path, call, sentence] of rows) {
      await test.step(`${path}: ${call}`, async () => {
        const readable = await breaking(page, call, ['GET']);
        await adminSite.open(path);
        lines.length = 0;
        // The tries before it gives up wait 1, 2 and 4 seconds; the notice stays for 4.
        const notice = page.locator('[data-sonner-toast]').getByText(sentence, { exact: true });
        await inTime(page, notice);
        await expect(page.getByRole('main').getByRole('alert').getByText(sentence).first()).toBeVisible();
        expect(lines).toContain(sentence);
        await readable();
        await retry(page).first().click();
        await goneInTime(page, retry(page));
      });
    }
  });
}

test('what can’t be saved is told, and stays as it was written', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  test.slow();
  quiet.allow(/status of 502/);
  await adminSite.admin.call('POST', '/admin/tokens', { nome: 'Giulia' });
  const dates = place(page, 'Date del viaggio');
  const main = page.getByRole('main');
  const saves: [path: string, where: Locator, field: string, call: string, sentence: string][] = [
    ['/admin/immagine', dates, 'Data di ritorno', 'config', 'Errore durante il salvataggio'],
    ['/admin/serata', main, 'Nome da contattare', 'config', 'Errore durante il salvataggio'],
    [
      '/admin/second-trip-checkbox',
      main,
      'Prima domanda',
      'questions',
      'Errore nel salvataggio delle domande',
    ],
  ];
  for (const [path, where, field, call, sentence] of saves) {
    await test.step(path, async () => {
      await adminSite.open(path);
      await page.getByLabel(field).fill('Scritto adesso');
      const savable = await breaking(page, call, ['PATCH']);
      await save(where);
      await expectToast(page, sentence);
      await expect(page.getByLabel(field)).toHaveValue('Scritto adesso');
      await savable();
      await retry(page).click();
      await expect(where.getByText('Salvato', { exact: true })).toBeVisible();
    });
  }

  await test.step('where another window is always quicker', () => saveTooLate(page, adminSite));
  await test.step('a message of proof, whose bot has just gone', () => tryWithoutBot(page, adminSite));

  await adminSite.open('/admin/token');
  await breaking(page, 'tokens/**', ['PATCH', 'POST', 'DELETE']);
  const active = page.getByRole('switch', { name: /Giulia/ });
  await active.click();
  await expectToast(page, 'Errore nel salvataggio');
  await expect(active).toBeChecked();
  await press(page, 'Elimina: Giulia');
  await question(page, 'Eliminare questo token?').getByRole('button', { name: 'Elimina' }).click();
  await expectToast(page, "Errore durante l'eliminazione");
  await expect(page.getByRole('rowheader', { name: 'Giulia' })).toBeVisible();
});

/** Each time the page has brought both windows' changes together, the other one saves again. */
async function saveTooLate(page: Page, adminSite: AdminSite): Promise<void> {
  await adminSite.open('/admin/immagine');
  let { versione } = await stored(adminSite);
  await page.route(api('config'), async (route) => {
    if (route.request().method() === 'PATCH') {
      const fields = { titolo_viaggio: `Titolo ${versione}` };
      ({ versione } = await adminSite.admin.call('PATCH', '/admin/config', { versione, fields }));
    }
    await route.fallback();
  });
  const dates = place(page, 'Date del viaggio');
  await page.getByLabel('Data di ritorno').fill('Scritta troppo tardi');
  await save(dates);
  const sentence =
    "La configurazione è stata modificata in un'altra finestra. Ricarica la pagina prima di salvare.";
  await expect(page.getByText(sentence, { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByLabel('Data di ritorno')).toHaveValue('Scritta troppo tardi');
  await page.unroute(api('config'));
  await retry(page).click();
  await expect(dates.getByText('Salvato', { exact: true })).toBeVisible();
  const { data_ritorno, titolo_viaggio } = await stored(adminSite);
  expect([data_ritorno, titolo_viaggio]).toEqual(['Scritta troppo tardi', `Titolo ${versione - 1}`]);
}

async function tryWithoutBot(page: Page, adminSite: AdminSite): Promise<void> {
  const saveBot = async (telegram_bot_token: string | null) => {
    const { versione } = await stored(adminSite);
    const fields = { telegram_bot_token, telegram_chat_id: '42' };
    await adminSite.admin.call('PATCH', '/admin/config', { versione, fields });
  };
  await saveBot(`123456:${'x'.repeat(35)}`);
  await adminSite.open('/admin/notifiche');
  await page.route(api('notifications/test'), async (route) => {
    await saveBot(null);
    await route.continue();
  });
  await press(page, 'Invia un messaggio di prova');
  await expectToast(page, 'Prima completa e salva le impostazioni.');
}

const IMAGE = 'Sei sicuro di voler eliminare questa immagine?';
const TICKETS = 'Sei sicuro di voler eliminare questo biglietto?';
const deletions: [path: string, button: string, file: string, sentence: string][] = [
  ['/admin/video', 'Elimina video-3s.mp4', 'video-3s.mp4', 'Sei sicuro di voler eliminare questo video?'],
  ['/admin/immagine', 'Elimina picture.jpg', 'picture.jpg', IMAGE],
  ['/admin/biglietti', 'Elimina ticket.pdf', 'ticket.pdf', TICKETS],
  ['/admin/second-trip-details', 'Elimina picture.jpg', 'picture.jpg', IMAGE],
  ['/admin/second-trip-details', 'Elimina ticket.png', 'ticket.png', TICKETS],
  ['/admin/musica', 'Elimina', 'song.mp3', 'Vuoi eliminare la canzone?'],
];

test('every deletion asks; «Annulla» and Esc ask nothing of the server, and a failure is told', {
  tag: '@long',
}, async ({ page, prepare, quiet }) => {
  test.slow();
  quiet.allow(/status of 502/);
  const evening = await prepare(twoTrips);
  await openEvening(page, evening, '/admin/dashboard');
  const before = await evening.admin.call('GET', '/admin/config');
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === 'DELETE') asked++;
  });
  await breaking(page, 'media/**', ['DELETE']);
  for (const [path, button, file, sentence] of deletions) {
    await test.step(`${path}: ${file}`, async () => {
      asked = 0;
      await adminPage(page, evening.server, path);
      await press(page, button);
      await question(page, sentence).getByRole('button', { name: 'Annulla' }).click();
      await expect(question(page, sentence)).toHaveCount(0);
      await press(page, button);
      await expect(question(page, sentence)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(question(page, sentence)).toHaveCount(0);
      expect(asked).toBe(0);

      await press(page, button);
      await question(page, sentence).getByRole('button', { name: 'Elimina' }).click();
      await expectToast(page, "Errore durante l'eliminazione");
      expect(asked).toBe(1);
      await expect(page.getByRole('main').getByText(file).first()).toBeVisible();
    });
  }
  expect(await evening.admin.call('GET', '/admin/config')).toEqual(before);
});

const uploads: [path: string, title: string, file: string, missing: string][] = [
  ['/admin/immagine', 'Immagine della destinazione', 'picture.jpg', "Seleziona un'immagine destinazione"],
  ['/admin/biglietti', 'Biglietti', 'ticket.pdf', 'Seleziona un file biglietti (PDF o PNG)'],
  [
    '/admin/second-trip-details',
    'Immagine del secondo viaggio',
    'picture.jpg',
    "Seleziona un'immagine destinazione",
  ],
  [
    '/admin/second-trip-details',
    'Biglietti del secondo viaggio',
    'ticket.png',
    'Seleziona un file biglietti (PDF o PNG)',
  ],
];

test('without a file each upload says which; one that fails says so, and goes on by «Riprova»', {
  tag: '@long',
}, async ({ page, adminSite, quiet }) => {
  test.slow();
  quiet.allow(/status of 50[07]/);
  const broken = { ...failures.proxy, status: 500 };
  for (const [path, title, file, missing] of uploads) {
    await test.step(`${path}: ${title}`, async () => {
      await adminSite.open(path);
      await expect(page.getByText(`${missing}: il caricamento parte da solo.`).first()).toBeVisible();
      await page.route(api('uploads'), (route) => route.fulfill(broken));
      await page.getByLabel(`File: ${title}`, { exact: true }).setInputFiles(fixture(file));
      await expectToast(page, "Errore durante l'upload");
      await page.unroute(api('uploads'));
      await retry(page).click();
      await expect(row(page, file).getByText(/^Attiv[oa]$/)).toBeVisible();
    });
  }
  await adminSite.open('/admin/musica');
  await page.route(api('uploads'), (route) => route.fulfill(broken));
  await page.getByLabel('File: La canzone').setInputFiles(fixture('song.mp3'));
  await expectToast(page, "Errore durante l'upload");
  await page.unroute(api('uploads'));
  await whileBusy(page, adminSite, async () => {
    await retry(page).click();
    await expectToast(page, 'Ci sono già troppi caricamenti in corso: attendi che finiscano e riprova.');
  });
  await whileFull(adminSite, async () => {
    await retry(page).click();
    await expectToast(page, 'Spazio esaurito sul server: libera spazio e riprova.');
  });
  await retry(page).click();
  await expect(page.getByRole('button', { name: 'Riproduci' })).toBeVisible();
});

/** As many uploads as there may be have begun in other windows. */
async function whileBusy(page: Page, { server }: AdminSite, work: () => Promise<void>): Promise<void> {
  const cookies = await page.context().cookies(server.url);
  const to = { url: server.url, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  const begun: string[] = [];
  for (let upload = 0; upload < UPLOADS.unfinished; upload += 1)
    begun.push(idOf(await announce(to, 100, { slot: 'video', filename: 'film.mp4' })));
  await work();
  for (const id of begun) await cancel(to, id);
}

async function whileFull({ server }: AdminSite, work: () => Promise<void>): Promise<void> {
  const { folder } = server.deps.uploads;
  const { room } = folder;
  folder.room = async () => 0;
  await work();
  folder.room = room;
}

test('choosing another picture or ticket says so, or that it failed', { tag: '@long' }, async ({
  page,
  prepare,
  quiet,
}) => {
  quiet.allow(/status of 502/);
  const evening = await prepare(twoTrips);
  // Nothing is chosen any more: every file can be.
  const { versione } = await evening.admin.call<{ versione: number }>('GET', '/admin/config');
  const fields = Object.fromEntries(
    ['immagine_destinazione_url', 'biglietti_url', 'immagine_destinazione_url_2', 'biglietti_url_2'].map(
      (field) => [field, null],
    ),
  );
  await evening.admin.call('PATCH', '/admin/config', { versione, fields });
  await openEvening(page, evening, '/admin/dashboard');
  for (const [path, file, chosen] of [
    ['/admin/immagine', 'picture.jpg', 'Immagine selezionata come attiva!'],
    ['/admin/biglietti', 'ticket.pdf', 'Biglietto selezionato come attivo!'],
    ['/admin/second-trip-details', 'picture.jpg', 'Immagine selezionata come attiva!'],
    ['/admin/second-trip-details', 'ticket.png', 'Biglietto selezionato come attivo!'],
  ] as const) {
    await adminPage(page, evening.server, path);
    const works = await breaking(page, 'media/**', ['POST']);
    await press(page, `Usa ${file}`);
    await expectToast(page, 'Errore durante la selezione');
    await works();
    await press(page, `Usa ${file}`);
    await expectToast(page, chosen);
    await expect(row(page, file).getByText(/^Attiv[oa]$/)).toBeVisible();
  }
});

test('where the server can’t be understood the door has its own sentences', { tag: '@long' }, async ({
  page,
  quiet,
}) => {
  quiet.allow(/status of 502/);
  const server = await startServer();
  try {
    await page.route('**/api/auth/**', (route) => route.fulfill(failures.proxy));
    await page.goto(`${server.url}/admin`);
    for (const [button, sentence] of [
      ['Registrati', 'Errore durante la registrazione'],
      ['Accedi', 'Credenziali non valide'],
    ] as const) {
      if (button === 'Accedi') await press(page, 'Hai già un account? Accedi');
      await page.getByLabel('E-mail').fill('marco@example.it');
      await page.getByLabel('Password', { exact: true }).fill('una-lunga-parola-segreta');
      await press(page, button);
      await expectToast(page, sentence);
      await expect(page.getByLabel('E-mail')).toHaveValue('marco@example.it');
    }
    await expect(page).toHaveURL(`${server.url}/admin`);
    await page.close();
  } finally {
    await server.stop();
  }
});
