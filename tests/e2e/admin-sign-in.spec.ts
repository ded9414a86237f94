import type { Page } from '@playwright/test';
import type { Ready } from '../../src/contract/admin/ready.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { call } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import {
  account,
  endAdminSessions,
  endSessionsAtSave,
  expect,
  laptop,
  signInAdmin,
  test,
} from './support/admin.ts';
import { expectRoomForLargeText } from './support/large-text.ts';
import { twoTrips } from './support/surprises.ts';
import { tryCode } from './support/try-code.ts';

/** The door and what is behind it: registering once, coming back, a session that ends while one works, and the numbers of the dashboard. */

const toggle = (page: Page) => page.getByRole('button', { name: 'Primo accesso? Registrati' });
/** The field says what is wrong with it, and a notice does, too (spec 8). */
async function saidUnder(page: Page, field: string, sentence: string): Promise<void> {
  await expect(page.getByLabel(field)).toHaveAccessibleDescription(new RegExp(`^${sentence}`));
  await expect(page.locator('[data-sonner-toast]').filter({ hasText: sentence })).toBeVisible();
}
const stat = (page: Page, name: string) =>
  page.getByRole('term').filter({ hasText: name }).locator('..').getByRole('definition');

async function withServer(work: (server: TestServer) => Promise<void>, env: Record<string, string> = {}) {
  const server = await startServer({ env });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

test.describe('the door', () => {
  test('the rule of a password is told before it is broken; the setup code is asked for where there is one', async ({
    page,
  }) => {
    await withServer(
      async (server) => {
        await page.goto(`${server.url}/admin`);
        // Nobody has registered: the page is there for it.
        await expect(page.getByRole('heading', { name: 'Primo accesso' })).toBeVisible();
        const password = page.getByLabel('Password');
        await expect(page.getByText('Almeno 10 caratteri')).toBeVisible();
        await password.fill('breve');
        await expect(page.getByText('Ne mancano 5.')).toBeVisible();
        await password.fill('una-lunga-parola-segreta');
        await expect(page.getByText('Lunghezza giusta')).toBeVisible();
        await expectAxeClean(page);
        await expectRoomForLargeText(page, false);

        await page.getByLabel('E-mail').fill('marco');
        await page.getByRole('button', { name: 'Registrati', exact: true }).tap();
        await saidUnder(page, 'E-mail', 'Controlla l’e-mail: manca qualcosa');
        await expect(page.getByLabel('E-mail')).toBeFocused();
        await page.keyboard.type(account.email);
        await page.getByLabel('Codice di installazione').fill('sbagliato');
        await page.getByRole('button', { name: 'Registrati', exact: true }).tap();
        await saidUnder(page, 'Codice di installazione', errorSentences.SETUP_CODE_WRONG);
        await expect(page.getByLabel('Codice di installazione')).toBeFocused();
        await page.getByLabel('Codice di installazione').fill('apriti-sesamo');
        await page.getByRole('button', { name: 'Registrati', exact: true }).tap();
        await expect(page.getByText('Registrazione completata! Accesso effettuato.')).toBeVisible();
        await expect(page).toHaveURL(`${server.url}/admin/dashboard`);
        await page.close();
      },
      { SETUP_CODE: 'apriti-sesamo' },
    );
  });

  test('switching between the two keeps what was typed, and forgets what was wrong', {
    tag: '@long',
  }, async ({ page }) => {
    await withServer(
      async (server) => {
        await page.goto(`${server.url}/admin`);
        await page.getByLabel('E-mail').fill(account.email);
        await page.getByLabel('Password').fill('breve');
        await page.getByLabel('Codice di installazione').fill('apriti');
        await page.getByRole('button', { name: 'Registrati', exact: true }).tap();
        await saidUnder(page, 'Password', errorSentences.WEAK_PASSWORD);
        await page.getByRole('button', { name: 'Hai già un account? Accedi' }).tap();
        await expect(page.getByLabel('Password')).toHaveAccessibleDescription('');
        await expect(page.getByLabel('E-mail')).toHaveValue(account.email);
        await expect(page.getByLabel('Password')).toHaveValue('breve');
        await toggle(page).tap();
        await expect(page.getByLabel('Password')).toHaveValue('breve');
        await expect(page.getByLabel('Codice di installazione')).toHaveValue('apriti');
        await page.close();
      },
      { SETUP_CODE: 'apriti-sesamo' },
    );
  });

  test('who comes second finds registration closed, and the toggle gone', async ({ page }) => {
    await withServer(async (server) => {
      await page.goto(`${server.url}/admin`);
      await page.getByLabel('E-mail').fill('luca@example.it');
      await page.getByLabel('Password').fill('un-altra-parola-segreta');
      await call(server.url, 'POST', '/auth/sign-up/email', account);

      await page.getByRole('button', { name: 'Registrati', exact: true }).tap();
      await expect(page.getByText('Registrazione chiusa: esiste già un amministratore.')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Area riservata' })).toBeVisible();
      await expect(page.getByText('Hai già un account? Accedi')).toHaveCount(0);
      await expect(toggle(page)).toHaveCount(0);
      await expect(page.getByLabel('E-mail')).toHaveValue('luca@example.it');
      await page.close();
    });
  });

  test('a wrong password, nothing typed, and by keyboard alone', async ({ page }) => {
    await withServer(async (server) => {
      await call(server.url, 'POST', '/auth/sign-up/email', account);
      await page.goto(`${server.url}/admin`);
      await page.getByRole('button', { name: 'Accedi', exact: true }).tap();
      await saidUnder(page, 'E-mail', 'Inserisci e-mail e password');
      await expect(page.getByLabel('E-mail')).toBeFocused();

      await page.keyboard.type(account.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type('non-è-questa');
      await page.keyboard.press('Enter');
      await saidUnder(page, 'Password', 'Credenziali non valide');
      await expect(page.getByLabel('Password')).toBeFocused();
      await expect(page.getByLabel('E-mail')).toHaveValue(account.email);

      // What was typed is selected: it is typed over.
      await page.keyboard.type(account.password);
      await page.keyboard.press('Enter');
      await expect(page.getByText('Accesso effettuato!', { exact: true })).toBeVisible();
      await expect(page).toHaveURL(`${server.url}/admin/dashboard`);
      await page.close();
    });
  });
});

test('signing out leaves nothing behind, whatever comes late and wherever Back and Forward lead', async ({
  page,
  adminSite,
}) => {
  await adminSite.open('/admin/token');
  await page.getByRole('link', { name: 'Torna al pannello' }).tap();
  await expect(page.getByText(account.email)).toBeVisible();
  // What comes then is slow to come, and Back is pressed before.
  const slow = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await slow.promise;
    await route.continue();
  });
  const left = page.waitForResponse((response) => response.url().endsWith('/auth/sign-out'));
  await page.getByRole('button', { name: 'Esci' }).tap();
  expect((await left).status()).toBe(200);
  await expect(page.getByText(account.email)).toHaveCount(0);
  await expect(page.getByRole('status').getByText('Caricamento…')).toBeAttached();
  await page.goBack();
  slow.resolve();
  await expect(page.getByText('Disconnesso', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${adminSite.server.url}/admin`);
  const asked = page.waitForResponse((response) => response.url().endsWith('/api/admin/me'));
  await page.goForward();
  expect((await asked).status()).toBe(401);
  await expect(page).toHaveURL(`${adminSite.server.url}/admin`);
  await expect(page.getByLabel('E-mail')).toBeVisible();
  await expect(page.getByText(account.email)).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test.describe('a session that ends while one works', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sessione scaduta' });

  test('what was typed stays, and the save is repeated by itself', { tag: '@long' }, async ({
    page,
    adminSite,
  }) => {
    await adminSite.open('/admin/video-button');
    await endSessionsAtSave(page, adminSite.server, async () => {
      await page.getByRole('textbox').first().fill('Andiamo?');
      await page.getByRole('button', { name: /^Salva/ }).tap();
    });

    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page).getByLabel('E-mail')).toHaveValue(account.email);
    await expect(dialog(page).getByLabel('Password')).toBeFocused();
    await expectAxeClean(page);
    await page.keyboard.type('sbagliata');
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByText('Credenziali non valide')).toBeVisible();
    await dialog(page).getByLabel('Password').fill(account.password);
    await dialog(page).getByRole('button', { name: 'Accedi' }).tap();

    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole('textbox').first()).toHaveValue('Andiamo?');
    await expect(page.getByText('Testo del pulsante salvato!')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('textbox').first()).toHaveValue('Andiamo?');
  });

  test('one dialog for all the calls that are refused at once; «Annulla» leaves the page as it was', async ({
    page,
    adminSite,
  }) => {
    await adminSite.open('/admin/dashboard');
    await expect(page.getByText('Prima che la sorpresa possa cominciare:')).toBeVisible();
    await endAdminSessions(adminSite.server);
    const refused = page.waitForResponse(
      (response) => response.url().includes('/api/admin/') && response.status() === 401,
    );
    // The tab comes to the front: everything on it is read again.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await refused;
    await expect(dialog(page)).toHaveCount(1);
    await dialog(page).getByRole('button', { name: 'Annulla' }).tap();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByText('Prima che la sorpresa possa cominciare:')).toBeVisible();
    await expect(page).toHaveURL(`${adminSite.server.url}/admin/dashboard`);

    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    const repeated = ['dashboard', 'config', 'questions'].map((name) =>
      page.waitForResponse((reply) => reply.url().endsWith(`/api/admin/${name}`) && reply.status() === 200),
    );
    await dialog(page).getByLabel('Password').fill(account.password);
    await dialog(page).getByRole('button', { name: 'Accedi' }).tap();
    await Promise.all(repeated);
    await expect(dialog(page)).toHaveCount(0);
  });
});

test.describe('the dashboard', () => {
  test('its numbers are what was done, and follow what happens', { tag: '@long' }, async ({
    page,
    adminSite,
  }) => {
    const { server, admin } = adminSite;
    const make = (nome: string, max_accessi: number) =>
      admin.call<{ id: string; token: string }>('POST', '/admin/tokens', { nome, max_accessi });
    const [giulia, anna] = [await make('Giulia', 3), await make('Anna', 1)];
    await make('Marta', 1);
    await admin.call('PATCH', `/admin/tokens/${anna.id}`, { attivo: false });
    await adminSite.open('/admin/dashboard');
    await expect(stat(page, 'Token Totali')).toHaveText('3');
    await expect(stat(page, 'Token Attivi')).toHaveText('2');
    await expect(stat(page, 'Accessi Totali')).toHaveText('0');
    await expect(page.getByText('Ancora nessun accesso.')).toBeVisible();

    await admin.call('PATCH', '/admin/config', {
      versione: (await admin.call<{ versione: number }>('GET', '/admin/config')).versione,
      fields: { video_url: '/api/media/00000000000000000000000000000000.mp4' },
    });
    expect(await tryCode(server, giulia.token)).toBe(200);
    expect(await tryCode(server, giulia.token)).toBe(200);
    expect(await tryCode(server, anna.token)).toBe(403);
    await expect(stat(page, 'Accessi Totali')).toHaveText('2');
    await expect(page.getByText('2 accessi riusciti, 1 rifiutato.')).toBeVisible();
    const table = page.getByRole('table', { name: 'Accessi giorno per giorno, dove ce ne sono stati' });
    await expect(table.getByRole('row').last().getByRole('cell')).toHaveText(['2', '1']);
    await expect(page.getByText(`Il codice ${anna.token} non ha aperto`)).toBeVisible();
    await expectAxeClean(page);
    await expectNoSidewaysScroll(page);
  });

  test('says what is missing and leads there, and is glad when nothing is', async ({ page, prepare }) => {
    const dates = { data_partenza_2: '1 luglio', data_ritorno_2: '5 luglio' };
    const evening = await prepare({ ...twoTrips, config: { ...twoTrips.config, ...dates } });
    await signInAdmin(page, evening.server);
    await page.goto(`${evening.server.url}/admin/dashboard`);
    await page.getByRole('link', { name: /^Manca un codice di accesso/ }).tap();
    await expect(page).toHaveURL(`${evening.server.url}/admin/token`);

    await evening.code();
    const { versione } = await evening.admin.call<{ versione: number }>('GET', '/admin/config');
    const data_laurea = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    const telegram = { telegram_bot_token: `123456789:${'A'.repeat(35)}`, telegram_chat_id: '42' };
    await evening.admin.call('PATCH', '/admin/config', { versione, fields: { ...telegram, data_laurea } });
    await page.goBack();
    // Here the address is this machine's: what is handed over would lead nowhere.
    const notYet = page.getByText('Prima che la sorpresa possa cominciare:');
    await expect(notYet).toBeVisible();
    await expect(page.getByRole('link', { name: /^Il messaggio e il cartoncino portano a/ })).toBeVisible();
    // As it would be with an address of the site.
    await page.route('**/api/admin/ready/answer', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as Ready;
      const prepared = answer.prepared.map((item) =>
        item.id === 'address_here' ? { ...item, id: 'address', state: 'ready' } : item,
      );
      const reasons = answer.reasons.filter(({ id }) => id !== 'address_here');
      await route.fulfill({ response, json: { ...answer, verdict: 'ready', reasons, prepared } });
    });
    await page.reload();
    await expect(page.getByText('È tutto pronto.')).toBeVisible();
    await expect(notYet).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Fai la prova generale' })).toBeVisible();
    await page.getByText('26 cose pronte').tap();
    await expect(page.getByRole('link', { name: 'C’è un codice pronto per entrare.' })).toBeVisible();
  });
});

test.describe('on a laptop', () => {
  test.use(laptop);

  test('the groups stand on the left, the page one is on is marked, and the reading can skip them', {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    await adminSite.open('/admin/logs');
    const menu = page.getByRole('navigation', { name: 'Pagine' });
    await expect(menu.getByRole('heading')).toHaveText([
      'Racconto',
      'Primo viaggio',
      'Secondo viaggio',
      'Accessi',
      'Controllo',
    ]);
    await expect(menu.locator('[aria-current="page"]')).toHaveText('Registro eventi');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Vai al contenuto' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Torna al pannello' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${adminSite.server.url}/admin/dashboard`);
    await expect(page.locator('main')).toBeFocused();
  });

  test('a page that can’t be fetched says so in its place, and comes dressed once the network is back', {
    tag: '@long',
  }, async ({ page, context, adminSite, quiet }) => {
    quiet.allow(/ERR_INTERNET_DISCONNECTED/);
    await adminSite.open('/admin/logs');
    const menu = page.getByRole('navigation', { name: 'Pagine' });
    await context.setOffline(true);
    await menu.getByRole('link', { name: 'Musica' }).click();
    await expect(page.getByRole('main').getByText('Connessione assente.')).toBeVisible();
    await expect(menu).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole('button', { name: 'Scegli una canzone' })).toBeVisible();
    const rules = () =>
      page.evaluate(() => Array.from(document.styleSheets, (sheet) => sheet.cssRules.length > 0));
    await expect.poll(async () => (await rules().catch(() => [false])).every(Boolean)).toBe(true);
  });
});
