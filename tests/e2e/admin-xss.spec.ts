import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { PAGES } from '../../src/contract/pages.ts';
import { adminPageTexts } from '../../src/texts/admin/pages.ts';
import { call } from '../support/http.ts';
import { ok, walkTo } from '../support/http-evening.ts';
import type { TestServer } from '../support/server.ts';
import { BOT_TOKEN, CHAT_ID, type TelegramServer, telegramServer } from '../support/telegram.ts';
import { test as base, expect, laptop, signInAdmin } from './support/admin.ts';
import { openPrepared } from './support/prepared-folders.ts';
import { type Code, closePages, type Evening, enter, pass } from './support/stage.ts';
import { twoTrips } from './support/surprises.ts';
import { answer, downloadTickets, phrases, sees, startVideo } from './support/walk.ts';
import { inRound, nothingGrew, PAYLOADS, packs, showsAsTyped, type Watch, watch } from './support/xss.ts';

/** Forty payloads in every text of the surprise: on both sides they are words and nothing else. */

type Hostile = Evening & { telegram: TelegramServer; watched: Watch };

const test = base.extend<{ hostile: Hostile }>({
  hostile: async ({ page, context }, use) => {
    const telegram = await telegramServer();
    const { server, admin } = await openPrepared(twoTrips, { TELEGRAM_API_ROOT: telegram.root });
    const watched = await watch(context, server.url);
    const code = () => admin.call<Code>('POST', '/admin/tokens', { nome: 'Giulia' });
    await use({ admin, server, telegram, watched, code });
    await closePages(page);
    await server.stop();
    await telegram.close();
    expect(watched.happened).toEqual([]);
  },
});

/** Every single text of the configuration and of the questions in this round; side by side they are never the same. */
function single(round: number) {
  const title = (of: number) => inRound(200, round + of);
  return {
    config: {
      video_button_text: inRound(50, round),
      titolo_destinazione: title(0),
      titolo_viaggio: title(1),
      data_partenza: title(2),
      data_ritorno: title(3),
      titolo_destinazione_2: title(4),
      titolo_viaggio_2: title(5),
      data_partenza_2: title(6),
      data_ritorno_2: title(7),
      testo_istruzioni_biglietti: inRound(2_000, round),
      testo_istruzioni_biglietti_2: inRound(2_000, round),
      contatto: inRound(100, round),
    },
    questions: {
      domanda_1: inRound(500, round),
      domanda_2: inRound(500, round + 1),
      domanda_1_viaggio_2: inRound(500, round + 2),
      domanda_2_viaggio_2: inRound(500, round + 3),
    },
  };
}
const ROUNDS = { button: packs(50).length, contact: packs(100).length, title: packs(200).length };

async function save({ admin }: Hostile, path: string, fields: Record<string, unknown>): Promise<void> {
  const { versione } = await admin.call<{ versione: number }>('GET', path);
  await admin.call('PATCH', path, { versione, fields });
}

async function saveSingle(hostile: Hostile, round: number) {
  const { config, questions } = single(round);
  await save(hostile, '/admin/config', config);
  await save(hostile, '/admin/questions', questions);
  return { config, questions };
}

/** The five lists and the three closing phrases. */
function lists(frasi: readonly string[]) {
  const [all = ''] = packs(2_000);
  return {
    frasi_pre_video: frasi,
    frasi,
    frasi_tra_viaggi: frasi,
    frasi_secondo_viaggio: frasi,
    frasi_finali_secondo_viaggio: frasi,
    frasi_finali: { entrambi_si: all, entrambi_no: all, misto: all },
  };
}

test.describe('the administrator', () => {
  test.use(laptop);

  test('reads every payload as it was typed, on every page', { tag: '@long' }, async ({ page, hostile }) => {
    test.slow();
    const { server } = hostile;
    await save(hostile, '/admin/config', lists(PAYLOADS));
    await saveSingle(hostile, 0);
    await fillRecords(hostile);
    await signInAdmin(page, server);

    const expected: Partial<Record<string, readonly string[]>> = {
      ...Object.fromEntries(ALL_FORTY.map((path) => [path, PAYLOADS])),
      '/admin/frasi-finali': packs(2_000),
      ...singleTexts(0),
    };
    await visit(page, server, '/admin/dashboard');
    for (const path of PAGES.filter((known) => known.startsWith('/admin/'))) {
      await follow(page, server, path);
      await showsAsTyped(page, expected[path] ?? []);
      if (path === '/admin/frasi') {
        await page.getByRole('tab', { name: 'Frasi Post-Video' }).click();
        await showsAsTyped(page, PAYLOADS);
      }
    }
  });

  test('reads every payload in every single text as it changes, and in Telegram’s answers', {
    tag: '@long',
  }, async ({ page, context, hostile }) => {
    test.slow();
    const { server } = hostile;
    await save(hostile, '/admin/config', { telegram_bot_token: BOT_TOKEN, telegram_chat_id: CHAT_ID });
    await signInAdmin(page, server);
    const tabs = { preview: page, button: await context.newPage(), contact: await context.newPage() };
    await visit(tabs.preview, server, '/admin/preview');
    await visit(tabs.button, server, '/admin/video-button');
    await visit(tabs.contact, server, '/admin/serata');
    for (let round = 0; round < ROUNDS.button; round++) {
      const { config, questions } = await saveSingle(hostile, round);
      await showsAsTyped(tabs.button, [config.video_button_text]);
      if (round < ROUNDS.contact) await showsAsTyped(tabs.contact, [config.contatto]);
      if (round < ROUNDS.title)
        await showsAsTyped(tabs.preview, [...Object.values(config), ...Object.values(questions)]);
    }
    await visit(tabs.contact, server, '/admin/notifiche');
    await telegramAnswers(tabs.contact, hostile);
  });
});

/** A page full of forty of everything takes its time. */
const PATIENCE = { timeout: 30_000 };

async function visit(page: Page, { url }: TestServer, path: string): Promise<void> {
  await page.goto(`${url}${path}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible(PATIENCE);
}

/** Goes on by the navigation, where it leads there. */
async function follow(page: Page, server: TestServer, path: string): Promise<void> {
  const title = Object.entries(adminPageTexts).find(([known]) => known === path)?.[1].title;
  if (title === undefined) return visit(page, server, path);
  await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible(PATIENCE);
}

/** Pages that show all forty at once: phrases, names of codes and files, and what is recorded of visits. */
const ALL_FORTY = [
  '/admin/frasi',
  '/admin/intermediate-phrases',
  '/admin/second-trip-phrases',
  '/admin/second-trip-final-phrases',
  '/admin/video',
  '/admin/immagine',
  '/admin/biglietti',
  '/admin/second-trip-details',
  '/admin/token',
  '/admin/sessions',
  '/admin/logs',
  '/admin/checkbox',
];

function singleTexts(round: number): Record<string, string[]> {
  const { config, questions } = single(round);
  return {
    '/admin/video-button': [config.video_button_text],
    '/admin/testi-destinazione': [config.titolo_destinazione, config.titolo_viaggio],
    '/admin/ticket-instruction': [config.testo_istruzioni_biglietti],
    '/admin/second-trip-checkbox': [questions.domanda_1_viaggio_2, questions.domanda_2_viaggio_2],
    '/admin/serata': [config.contatto],
    '/admin/preview': [...Object.values(config), ...Object.values(questions), ...PAYLOADS],
  };
}

/** Names of codes, user agents and file names; and in the records what no call of ours would let in. */
async function fillRecords({ admin, server }: Hostile): Promise<void> {
  for (const [index, nome] of PAYLOADS.entries()) {
    const { token } = await admin.call<Code>('POST', '/admin/tokens', { nome });
    const entry = { token, attempt_id: randomUUID(), device_id: `device-${index}` };
    ok(await call(server.url, 'POST', '/access', entry, { headers: { 'user-agent': nome } }));
  }
  const { db } = server.deps;
  const sessions = await db.selectFrom('active_sessions').select('id').orderBy('started_at').execute();
  const { biglietti_url, immagine_destinazione_url, video_url } = await db
    .selectFrom('admin_config')
    .selectAll()
    .executeTakeFirstOrThrow();
  for (const [index, text] of PAYLOADS.entries()) {
    const file = (url: string | null) => ({
      id: randomUUID(),
      nome: text,
      url: url ?? '',
      created_at: now(),
    });
    const visit = { token_value: text, device_id: text, user_agent: text };
    // No silence closes it while this test is under way.
    const alive = { last_activity: new Date(Date.now() + 3_600_000).toISOString() };
    const id = sessions[index]?.id ?? '';
    await db
      .updateTable('active_sessions')
      .set({ ...visit, ...alive })
      .where('id', '=', id)
      .execute();
    await db
      .insertInto('event_logs')
      .values({ ...event(text), ...visit })
      .execute();
    await db.insertInto('checkbox_responses').values(received(text, id)).execute();
    await db
      .insertInto('videos')
      .values({ ...file(video_url), poster_url: null })
      .execute();
    for (const tipo of ['pdf', 'secondo_viaggio'])
      await db
        .insertInto('biglietti')
        .values({ ...file(biglietti_url), tipo })
        .execute();
    for (const tipo of [null, 'secondo_viaggio'])
      await db
        .insertInto('immagini_destinazione')
        .values({ ...file(immagine_destinazione_url), tipo })
        .execute();
  }
}

const now = () => new Date().toISOString();

/** The newest in the log, whatever else happens meanwhile. */
const event = (text: string) => ({
  id: randomUUID(),
  event_type: text,
  token_id: null,
  success: false,
  error_message: text,
  metadata: JSON.stringify({ reason: text, exit_point: text }),
  created_at: now(),
});

const received = (token_value: string, session_id: string) => ({
  id: randomUUID(),
  session_id,
  viaggio: 1 as const,
  token_value,
  risposta_1: true,
  risposta_2: false,
  created_at: now(),
});

/** Telegram's own words are shown as they are: to the test message, and of the queue. */
async function telegramAnswers(page: Page, { telegram, server }: Hostile): Promise<void> {
  const tested = page.getByRole('region', { name: 'Messaggio di prova' });
  for (const description of packs(280)) {
    telegram.fail({ kind: 'status', status: 400, description });
    await tested.getByRole('button', { name: 'Invia un messaggio di prova' }).click();
    await expect(tested.getByText(`400 ${description}`)).toBeVisible();
    await nothingGrew(page);
  }
  const entry = { token: 'ROM-NESSUNO', attempt_id: randomUUID(), device_id: 'device-1' };
  await call(server.url, 'POST', '/access', entry);
  const queue = page.getByRole('region', { name: 'In coda' });
  await expect(async () => {
    await queue.getByRole('button', { name: 'Aggiorna' }).click();
    await expect(queue.getByText(`400 ${packs(280).at(-1)}`)).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await nothingGrew(page);
}

test.describe('the visitor', () => {
  test.beforeEach(async ({ page }) => page.clock.install());

  test('reads every payload through a whole evening of two trips', async ({ page, hostile }) => {
    test.slow();
    const frasi = packs(400);
    await save(hostile, '/admin/config', lists(frasi));
    const { config, questions } = await saveSingle(hostile, 0);
    const { token } = await hostile.code();
    await enter(page, hostile, token);
    await phrases(page, frasi);
    await startVideo(page, config.video_button_text);
    await phrases(page, frasi);
    await pass(page, 1);
    await card(
      page,
      [config.titolo_destinazione, config.titolo_viaggio],
      [config.data_partenza, config.data_ritorno],
    );
    await answer(page, questions.domanda_1, 'Sì');
    await answer(page, questions.domanda_2, 'No');
    await phrases(page, [...frasi, ...frasi]);
    await pass(page, 1);
    await card(
      page,
      [config.titolo_destinazione_2, config.titolo_viaggio_2],
      [config.data_partenza_2, config.data_ritorno_2],
    );
    await answer(page, questions.domanda_1_viaggio_2, 'No');
    await answer(page, questions.domanda_2_viaggio_2, 'No');
    await phrases(page, frasi);
    await pass(page, 3);
    await expect(page).toHaveURL(`${hostile.server.url}/`);
    await nothingGrew(page);
  });

  test('reads every payload in every single text, and in the notice that sends her away', {
    tag: '@long',
  }, async ({ page, hostile, quiet }) => {
    test.slow();
    // Whoever is sent away has what she was being sent cut off.
    quiet.allow(/ERR_(EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING) .*\/api\/media\//);
    const { server, admin } = hostile;
    await save(hostile, '/admin/config', { frasi_pre_video: [] });
    for (let round = 0; round < ROUNDS.button; round++) {
      const { config } = await saveSingle(hostile, round);
      const code = await hostile.code();
      const cookie = await comeIn(page, server, code);
      await showOn(page, server, []);
      await expect(page.getByRole('button', { name: config.video_button_text })).toBeVisible();
      if (round < ROUNDS.title) {
        await walkTo(server, cookie, 'card', 1);
        const { titolo_viaggio, data_partenza, data_ritorno, testo_istruzioni_biglietti } = config;
        await showOn(page, server, [titolo_viaggio, data_partenza, data_ritorno, testo_istruzioni_biglietti]);
        await walkTo(server, cookie, 'destination', 2);
        await showOn(page, server, [config.titolo_destinazione_2, config.titolo_viaggio_2]);
      }
      if (round < ROUNDS.contact) {
        await admin.call('PATCH', `/admin/tokens/${code.id}`, { attivo: false });
        await sees(page, `Contatta ${config.contatto} per maggiori informazioni`);
        await nothingGrew(page);
      }
    }
    await save(hostile, '/admin/config', {
      frasi_finali: lists([]).frasi_finali,
      frasi_secondo_viaggio: [],
      immagine_destinazione_url_2: null,
      biglietti_url_2: null,
    });
    await walkTo(server, await comeIn(page, server, await hostile.code()), 'closing', 1);
    await showOn(page, server, packs(2_000));
  });
});

type Markup = { trustedTypes: { createPolicy(name: string, rules: object): { createHTML: typeof String } } };

test('the alarm rings: put in as markup, each payload that is markup is found', async ({
  page,
  adminSite,
  quiet,
}) => {
  // The policy stops markup out of text and what it would do; here it is only the search that is tried.
  quiet.allow(/./);
  await page.goto(adminSite.server.url);
  // A body inside a body is dropped by the parser, and a refresh leads away.
  const markup = PAYLOADS.filter((text) => /<\w/.test(text) && !/<(body|meta)/.test(text));
  expect(markup.length).toBeGreaterThan(30);
  for (const html of markup) {
    await page.evaluate((inner) => {
      const hole = document.createElement('div');
      hole.id = 'hole';
      const policy = (window as never as Markup).trustedTypes.createPolicy('alarm', { createHTML: String });
      hole.innerHTML = policy.createHTML(inner);
      document.body.append(hole);
    }, html);
    await expect(nothingGrew(page), html).rejects.toThrow();
    await page.evaluate(() => document.querySelector('#hole')?.remove());
  }
  await nothingGrew(page);
});

/** Destination and trip card, up to the questions. */
async function card(page: Page, titles: string[], dates: string[]): Promise<void> {
  await showsAsTyped(page, titles);
  await pass(page, 5);
  await showsAsTyped(page, [...titles, ...dates, ...packs(2_000)]);
  await downloadTickets(page);
}

/** Enters beside the page and gives it the visit's cookie. */
async function comeIn(page: Page, { url }: TestServer, { token }: Code): Promise<string> {
  const entry = { token, attempt_id: randomUUID(), device_id: 'device-1-xss' };
  const { cookie } = ok(await call(url, 'POST', '/access', entry));
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url }]);
  return cookie;
}

/** Opens the visit where it is now. */
async function showOn(page: Page, { url }: TestServer, texts: readonly string[]): Promise<void> {
  await page.goto(`${url}/experience`);
  await showsAsTyped(page, texts);
}
