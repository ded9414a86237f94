import type { Page } from '@playwright/test';
import { call } from '../support/http.ts';
import { BOT_TOKEN, CHAT_ID, type TelegramServer, telegramServer } from '../support/telegram.ts';
import { type AdminSite, adminPage, test as base, expect, signInAdmin } from './support/admin.ts';
import { openPrepared } from './support/prepared-folders.ts';
import { enter, inTime } from './support/stage.ts';
import { twoTrips, words } from './support/surprises.ts';
import { answer, downloadTickets, walkSecondTrip, walkToCard } from './support/walk.ts';

/** The questions of both trips with their answers, and the settings of `/admin/notifiche` and `/admin/serata`. */

const QUESTIONS = '/admin/checkbox';
const SECOND = '/admin/second-trip-checkbox';
const SETTINGS = '/admin/notifiche';
const EVENING = '/admin/serata';

type Messenger = AdminSite & { telegram: TelegramServer };

const test = base.extend<{ messenger: Messenger }>({
  /** The administrator's pages, whose messages go to a Telegram of our own. */
  messenger: async ({ page }, use) => {
    const telegram = await telegramServer();
    const { server, admin } = await openPrepared(null, { TELEGRAM_API_ROOT: telegram.root });
    await signInAdmin(page, server);
    await use({ server, admin, telegram, open: (path) => adminPage(page, server, path) });
    await page.close();
    await server.stop();
    await telegram.close();
  },
});

type Saved = { versione: number } & Record<`domanda_${string}`, string | null>;
const questionsOf = ({ admin }: Pick<AdminSite, 'admin'>) => admin.call<Saved>('GET', '/admin/questions');
const saveButton = (page: Page) => page.getByRole('button', { name: 'Salva', exact: true });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function otherHand({ admin }: Pick<AdminSite, 'admin'>, fields: Record<string, string>): Promise<void> {
  const { versione } = await questionsOf({ admin });
  await admin.call('PATCH', '/admin/questions', { versione, fields });
}

test.describe('questions', () => {
  test('the first trip’s can be saved only when both are written; the second’s as they are', async ({
    page,
    adminSite,
  }) => {
    await adminSite.open(QUESTIONS);
    await expect(saveButton(page)).toBeDisabled();
    await page.getByLabel('Prima domanda').fill('Partiamo?');
    await expect(saveButton(page)).toBeDisabled();
    await expect(page.getByText('Scrivi tutte e due le domande per salvare.')).toBeVisible();
    await page.getByLabel('Seconda domanda').fill('   ');
    await expect(saveButton(page)).toBeDisabled();
    await page.getByLabel('Seconda domanda').fill('Al mare?');
    const phone = page.frameLocator('iframe[title="Le domande"]');
    await expect(phone.getByText('Partiamo?')).toBeAttached();
    await expect(phone.getByText('Al mare?')).toBeAttached();
    await saveButton(page).tap();
    await expect(page.getByText('Domande salvate!', { exact: true })).toBeVisible();
    await page.getByLabel('Prima domanda').fill('');
    await expect(saveButton(page)).toBeDisabled();
    expect(await questionsOf(adminSite)).toMatchObject({
      domanda_1: 'Partiamo?',
      domanda_2: 'Al mare?',
      domanda_1_viaggio_2: null,
    });
    await page.getByLabel('Prima domanda').fill('Partiamo?');

    await adminSite.open(SECOND);
    await page.getByLabel('Prima domanda').fill('Sciamo?');
    await expect(page.getByText(/^Con una sola domanda scritta/)).toBeVisible();
    await saveButton(page).tap();
    await expect(page.getByText('Domande salvate con successo', { exact: true })).toBeVisible();
    expect(await questionsOf(adminSite)).toMatchObject({
      domanda_1: 'Partiamo?',
      domanda_1_viaggio_2: 'Sciamo?',
      domanda_2_viaggio_2: null,
    });
  });

  test('the second trip’s page is for who has signed in', { tag: '@long' }, async ({ page, adminSite }) => {
    await page.context().clearCookies();
    await page.goto(`${adminSite.server.url}${SECOND}`);
    await expect(page).toHaveURL(`${adminSite.server.url}/admin`);
  });

  test('a stale save loses nothing: other fields come together, the same field is chosen', {
    tag: '@long',
  }, async ({ page, adminSite, quiet }) => {
    quiet.allow(/ERR_FAILED/);
    // Nothing is heard live of what the other window does.
    await page.route('**/api/admin/events', (route) => route.abort());
    await otherHand(adminSite, { domanda_1: 'Uno?', domanda_2: 'Due?' });
    await adminSite.open(QUESTIONS);
    await expect(page.getByLabel('Prima domanda')).toHaveValue('Uno?');
    await otherHand(adminSite, { domanda_2: 'Due, suo?', domanda_1_viaggio_2: 'Tre, suo?' });
    await page.getByLabel('Prima domanda').fill('Uno, mio?');
    await saveButton(page).tap();
    await expect(page.getByText('Domande salvate!', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Seconda domanda')).toHaveValue('Due, suo?');
    expect(await questionsOf(adminSite)).toMatchObject({
      domanda_1: 'Uno, mio?',
      domanda_2: 'Due, suo?',
      domanda_1_viaggio_2: 'Tre, suo?',
    });

    await otherHand(adminSite, { domanda_1: 'Ancora suo?' });
    await page.getByLabel('Prima domanda').fill('Ancora mio?');
    const choice = page.getByRole('alert').filter({ hasText: 'Modificato in un’altra finestra' });
    await expect(choice.getByText('Ancora mio?')).toBeVisible();
    await expect(choice.getByText('Ancora suo?')).toBeVisible();
    expect(await questionsOf(adminSite)).toMatchObject({ domanda_1: 'Ancora suo?' });
    await choice.getByRole('button', { name: 'Tieni il mio testo' }).tap();
    await expect(choice).toHaveCount(0);
    await expect.poll(async () => (await questionsOf(adminSite)).domanda_1).toBe('Ancora mio?');
  });

  test('a failed load and a failed save say so, and what was typed stays', { tag: '@long' }, async ({
    page,
    adminSite,
    quiet,
  }) => {
    quiet.allow(/status of 502/);
    const address = '**/api/admin/questions';
    const broken = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
    await page.route(address, (route) => route.fulfill(broken));
    await page.clock.install();
    await adminSite.open(QUESTIONS);
    // Three more tries, further and further apart, come first.
    const failed = page.getByRole('alert').filter({ hasText: 'Errore nel caricamento delle domande' });
    await inTime(page, failed);
    await page.unroute(address);
    await failed.getByRole('button', { name: 'Riprova' }).tap();
    await page.getByLabel('Prima domanda').fill('Si perde?');
    await page.getByLabel('Seconda domanda').fill('No?');
    await page.route(address, (route) => route.fulfill(broken));
    await saveButton(page).tap();
    await expect(page.getByText('Errore nel salvataggio delle domande').first()).toBeVisible();
    await expect(page.getByLabel('Prima domanda')).toHaveValue('Si perde?');
    await page.unroute(address);
    await saveButton(page).tap();
    await expect(page.getByText('Domande salvate!', { exact: true })).toBeVisible();
    expect(await questionsOf(adminSite)).toMatchObject({ domanda_1: 'Si perde?', domanda_2: 'No?' });
  });

  test('the answers of a real walk through both trips appear by themselves', { tag: '@long' }, async ({
    page,
    browser,
    prepare,
    contextOptions,
  }) => {
    const evening = await prepare(twoTrips);
    const code = await evening.code();
    await signInAdmin(page, evening.server);
    await adminPage(page, evening.server, QUESTIONS);
    const received = region(page, 'Risposte ricevute');
    await expect(received.getByText('Ancora nessuna risposta')).toBeVisible();

    const context = await browser.newContext(contextOptions);
    const visitor = await context.newPage();
    await visitor.clock.install();
    await enter(visitor, evening, code.token);
    await walkToCard(visitor);
    await downloadTickets(visitor);
    await answer(visitor, words.domanda_1, 'Sì');
    await answer(visitor, words.domanda_2, 'No');
    await expect(received.getByRole('listitem')).toHaveCount(1);
    const first = received.getByRole('listitem').last();
    await expect(first).toContainText('Primo viaggio');
    await expect(first).toContainText(`Giulia ${code.token}`);
    await expect(first).toContainText(/\d{1,2} \S+ \d{4} alle ore \d\d:\d\d/);
    await expect(first.locator('dl > div')).toHaveText([`${words.domanda_1}Sì`, `${words.domanda_2}No`]);

    await walkSecondTrip(visitor);
    await answer(visitor, words.domanda_1_viaggio_2, 'No');
    await answer(visitor, words.domanda_2_viaggio_2, 'Sì');
    await expect(received.getByRole('listitem')).toHaveCount(2);
    const second = received.getByRole('listitem').first();
    await expect(second).toContainText('Secondo viaggio');
    await expect(second.locator('dl > div')).toHaveText([
      `${words.domanda_1_viaggio_2}No`,
      `${words.domanda_2_viaggio_2}Sì`,
    ]);
    await context.close();

    // What is asked from now on is not what was answered.
    await otherHand(evening, { domanda_1: 'Adesso si legge così?' });
    await adminPage(page, evening.server, QUESTIONS);
    await expect(page.getByLabel('Prima domanda')).toHaveValue('Adesso si legge così?');
    await expect(first.locator('dl > div')).toHaveText([`${words.domanda_1}Sì`, `${words.domanda_2}No`]);
    await evening.admin.call('DELETE', `/admin/tokens/${code.id}`);
    await expect(first).toContainText('codice eliminato');
  });
});

test.describe('notifications', () => {
  test('the bot token goes one way; a test message tells Telegram’s own answer; the queue says what waits', async ({
    page,
    messenger,
  }) => {
    const { telegram, server } = messenger;
    const secret = BOT_TOKEN.split(':')[1] ?? '';
    const said = answersOf(page);
    await messenger.open(SETTINGS);
    const bot = region(page, 'Telegram');
    const tested = region(page, 'Messaggio di prova');
    const send = tested.getByRole('button', { name: 'Invia un messaggio di prova' });
    await expect(send).toBeDisabled();

    await bot.getByLabel('Token del bot').fill('123:troppo-corto');
    await bot.getByRole('button', { name: 'Salva token' }).tap();
    await expect(bot.getByText(/^Un token è fatto di 6–12 cifre/)).toBeVisible();
    await bot.getByLabel('Token del bot').fill(` ${BOT_TOKEN} `);
    await bot.getByRole('button', { name: 'Salva token' }).tap();
    await expect(page.getByText('Token del bot salvato!')).toBeVisible();
    await expect(bot.getByText(`••••${BOT_TOKEN.slice(-4)}`)).toBeVisible();

    await page.getByLabel('Chat ID', { exact: true }).fill('la mia chat');
    await saveButton(page).tap();
    await expect(page.getByText(/^Il Chat ID è un numero/).first()).toBeVisible();
    await page.getByLabel('Chat ID', { exact: true }).fill(CHAT_ID);
    await saveButton(page).tap();
    await expect(page.getByText('Impostazioni salvate!')).toBeVisible();

    await send.tap();
    await expect(tested.getByText('Messaggio inviato: guarda la chat.')).toBeVisible();
    await expect(tested.getByText('ok, message_id 1')).toBeVisible();
    expect(telegram.messages).toMatchObject([{ chat_id: CHAT_ID }]);
    telegram.fail({ kind: 'status', status: 400, description: 'Bad Request: chat not found' });
    await send.tap();
    await expect(tested.getByText('Telegram non lo ha accettato.')).toBeVisible();
    await expect(tested.getByText('400 Bad Request: chat not found')).toBeVisible();

    const queue = region(page, 'In coda');
    await expect(queue.getByText('Nessun messaggio in attesa.')).toBeVisible();
    telegram.fail({ kind: 'status', status: 401, description: 'Unauthorized' });
    await call(server.url, 'POST', '/access', {
      token: 'ROM-NESSUNO',
      attempt_id: crypto.randomUUID(),
      device_id: 'device-1-prova',
    });
    await expect.poll(() => telegram.requests).toBeGreaterThan(2);
    await queue.getByRole('button', { name: 'Aggiorna' }).tap();
    await expect(queue.getByText('1 messaggio in attesa di partire')).toBeVisible();
    await expect(queue.getByText('401 Unauthorized')).toBeVisible();
    await expect(queue.getByText(/^Telegram non riconosce il token del bot/)).toBeVisible();
    telegram.fail({ kind: 'none' });
    await send.tap();
    await expect(queue.getByText('Nessun messaggio in attesa.')).toBeVisible({ timeout: 20_000 });
    await expect(queue.getByText(/^Ultimo messaggio inviato: /)).toBeVisible();

    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
    const everything = [await page.content(), kept, server.logged(), ...(await said())];
    expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  });

  test('the token is replaced or removed only when that is meant', { tag: '@long' }, async ({
    page,
    messenger,
  }) => {
    const { admin } = messenger;
    const fields = { telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID };
    await admin.call('PATCH', '/admin/config', { versione: 0, fields });
    const masked = async () =>
      (await admin.call<{ telegram_bot_token_masked: string | null }>('GET', '/admin/config'))
        .telegram_bot_token_masked;
    await messenger.open(SETTINGS);
    const bot = region(page, 'Telegram');
    await bot.getByRole('button', { name: 'Sostituisci' }).tap();
    await expect(bot.getByLabel('Token del bot')).toHaveValue('');
    // The keyboard is where the hand was.
    await expect(bot.getByLabel('Token del bot')).toBeFocused();
    await bot.getByRole('button', { name: 'Tieni quello salvato' }).tap();
    await expect(bot.getByRole('button', { name: 'Sostituisci' })).toBeFocused();
    await bot.getByRole('button', { name: 'Sostituisci' }).tap();
    await bot.getByLabel('Token del bot').fill(`987654321:${'b'.repeat(31)}ZZZZ`);
    await bot.getByRole('button', { name: 'Salva token' }).tap();
    await expect(bot.getByText('••••ZZZZ')).toBeVisible();

    const question = page.getByRole('dialog').filter({ hasText: /^Rimuovere il token del bot\?/ });
    await bot.getByRole('button', { name: 'Rimuovi' }).tap();
    await question.getByRole('button', { name: 'Annulla' }).tap();
    await expect(question).toHaveCount(0);
    expect(await masked()).toBe('••••ZZZZ');
    await bot.getByRole('button', { name: 'Rimuovi' }).tap();
    await question.getByRole('button', { name: 'Rimuovi' }).tap();
    await expect(page.getByText('Token del bot rimosso')).toBeVisible();
    await expect(bot.getByLabel('Token del bot')).toBeVisible();
    expect(await masked()).toBeNull();
  });

  test('the contact is shown in the sentence a disconnected visitor reads', async ({ page, adminSite }) => {
    await adminSite.open(EVENING);
    const contact = region(page, 'Contatto');
    await expect(contact.getByText("Contatta l'amministratore per maggiori informazioni")).toBeVisible();
    await contact.getByLabel('Nome da contattare').fill('@marco');
    await expect(contact.getByText('Contatta @marco per maggiori informazioni')).toBeVisible();
    await saveButton(page).tap();
    await expect(page.getByText('Impostazioni salvate!')).toBeVisible();
    expect(await adminSite.admin.call('GET', '/admin/config')).toMatchObject({ contatto: '@marco' });
  });
});

test('the graduation date closes the site for codes 48 hours after it; the administrator goes on', {
  tag: '@long',
}, async ({ page, browser, prepare, contextOptions }) => {
  const evening = await prepare(twoTrips);
  const { token } = await evening.code();
  await signInAdmin(page, evening.server);
  await adminPage(page, evening.server, EVENING);
  const graduation = region(page, 'Data di laurea');
  await expect(graduation.getByText('Il sito resta aperto.')).toBeVisible();
  await expect(graduation.getByText(/48 ore dopo la data di laurea\.$/)).toBeVisible();
  const day = graduation.getByLabel('Giorno della laurea');
  await day.fill('2099-07-10');
  await expect(graduation.getByText('Il sito si chiude il 13 luglio 2099 alle ore 00:00.')).toBeVisible();
  await expect(graduation.getByText(/48 ore dopo la laurea del 10 luglio 2099\.$/)).toBeVisible();
  await day.fill('1999-12-31');
  await saveButton(page).tap();
  await expect(page.getByText('Scegli un giorno tra il 2000 e il 2100.').first()).toBeVisible();

  await day.fill('2024-03-15');
  await expect(
    graduation.getByText(/^Con questa data il sito è già chiuso \(dal 18 marzo 2024/),
  ).toBeVisible();
  await saveButton(page).tap();
  await expect(page.getByText('Impostazioni salvate!')).toBeVisible();
  await expect(graduation.getByText(/^Il sito si è chiuso il 18 marzo 2024/)).toBeVisible();

  const context = await browser.newContext(contextOptions);
  const visitor = await context.newPage();
  await enter(visitor, evening, token);
  await expect(
    visitor.getByText(/^La sorpresa si è conclusa: questo sito non è più disponibile/),
  ).toBeVisible();
  await expect(visitor.getByText(/^La sorpresa si è conclusa: il sito è rimasto aperto/)).toBeVisible();

  await page.reload();
  await day.fill('');
  await saveButton(page).tap();
  await expect(page.getByText('Impostazioni salvate!')).toBeVisible();
  await enter(visitor, evening, token);
  await expect(visitor).toHaveURL(`${evening.server.url}/experience`);
  await context.close();
});

/** Everything the server says to the page, once it is asked for. */
function answersOf(page: Page): () => Promise<string[]> {
  const said: Promise<string>[] = [];
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (/json|html|javascript/.test(type)) said.push(response.text().catch(() => ''));
  });
  return () => Promise.all(said);
}
