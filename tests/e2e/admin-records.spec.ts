import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { countVisit } from '../../src/server/event-log/visit-counts.repo.ts';
import { type AdminSite, expect, laptop, signInAdmin, test } from './support/admin.ts';
import { type Code, type Evening, enter, inTime } from './support/stage.ts';
import { oneTrip, words } from './support/surprises.ts';
import { IPHONE, withPhone } from './support/visitor.ts';
import { downloadTickets, startVideo } from './support/walk.ts';

/** `/admin/sessions` and `/admin/logs`: what the administrator sees of the visits while they happen, and after. */
test.use(laptop);

const MEAN = '<script>alert(1)</script>';
const cards = (page: Page, section: string) =>
  page.getByRole('region', { name: section }).getByRole('article');
const present = (page: Page) => page.locator('[aria-current=step]');
const told = (page: Page, sentence: string) =>
  expect(page.getByText(sentence, { exact: true }).first()).toBeVisible();

test('a visit is seen while it walks, without a reload', { tag: '@long' }, async ({
  page,
  prepare,
  browser,
}) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await signInAdmin(page, evening.server);
  await page.clock.install();
  await page.goto(`${evening.server.url}/admin/sessions`);
  await told(page, 'Nessuna sessione trovata');
  await page.evaluate('window.notReloaded = true');

  const inside = cards(page, 'Attive Ora');
  await withPhone(
    browser,
    async (phone) => {
      await enter(phone, evening, code.token);
      await expect(inside).toHaveCount(1);
      await expect(inside).toContainText('ONLINE');
      await expect(inside).toContainText('iPhone · Safari');
      await expect(inside.getByRole('img', { name: 'Telefono' })).toBeVisible();
      await expect(inside).toContainText(`${code.token} · Giulia`);
      const [session] = await sessions(evening);
      await expect(inside).toContainText(`${session?.device_id.slice(0, 20)}…`);
      await expect(inside).not.toContainText(session?.device_id ?? 'no device');
      await expect(inside.getByRole('list', { name: 'A che punto è' }).getByRole('listitem')).toHaveText([
        /^Frasi pre-video: (adesso|fatta)$/,
        /^Video: /,
        /^Frasi: /,
        /^Destinazione: /,
        /^Biglietti: /,
        /^Domande: /,
        /^Finale: non ancora$/,
      ]);

      await inTime(phone, phone.getByRole('button', { name: 'Inizia Esperienza' }));
      await expect(present(page)).toHaveText('Video: adesso');
      await hide(phone, true);
      await expect(inside).toContainText('schermo spento o altra app');
      await hide(phone, false);
      await expect(inside).not.toContainText('schermo spento o altra app');

      await startVideo(phone);
      await expect(present(page)).toHaveText('Frasi: adesso');
      await expect(inside).toContainText(/frase [12] di 2/);
      await inTime(phone, phone.getByText('3 marzo 2027'));
      await expect(present(page)).toHaveText('Biglietti: adesso');
      await expect(inside).toContainText('tappa 5 di 7');
      await downloadTickets(phone);
      await expect(phone.getByRole('group', { name: words.domanda_1 })).toBeVisible();
      await expect(present(page)).toHaveText('Domande: adesso');

      await expect(inside).toContainText(/Inizio.*(adesso|\d+ (second|minut)[oi] fa)/);
      // The words go on by themselves.
      await expect(inside).toContainText(/Ultima attività.*(adesso|\d+ second[oi] fa)/);
      await page.clock.runFor(70_000);
      await expect(inside).toContainText(/Ultima attività.*\d+ minut[oi] fa/);
      await phone.goto('about:blank');
      // A phone's browser lives on and sends the page's last word; this one is closed with its network.
      await expect.poll(async () => (await sessions(evening))[0]?.is_active).toBe(false);
    },
    { userAgent: IPHONE },
  );

  await expect(inside).toHaveCount(0);
  await told(page, 'Nessuno è dentro in questo momento.');
  const over = cards(page, 'Terminate');
  await expect(over).toHaveCount(1);
  await expect(over).toContainText('OFFLINE');
  await expect(over).toContainText('Ha chiuso la pagina');
  await expect(over).toContainText('Non completata · uscita: alle domande');
  await told(page, '0 attive');
  await told(page, '1 terminata');
  expect(await page.evaluate('window.notReloaded')).toBe(true);
});

test('the video’s minute, both trips and every ending are said', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  await copies(evening, [
    { is_active: true, step: 1, second: 84.6 },
    { is_active: false, disconnection_reason: 'timeout', disconnected_at: at(1), step: 2, phrase: 1 },
    { is_active: false, disconnection_reason: 'token_revoked', disconnected_at: at(2) },
    { is_active: false, disconnection_reason: 'token_deleted', disconnected_at: at(3) },
    {
      is_active: false,
      disconnection_reason: 'user_logout',
      disconnected_at: at(4),
      completed_at: at(4),
      exit_point: 'after_checkboxes',
      step: 6,
    },
  ]);
  await signInAdmin(page, evening.server);
  await page.goto(`${evening.server.url}/admin/sessions`);
  await expect(cards(page, 'Attive Ora').filter({ hasText: 'al minuto 1:24' })).toHaveCount(1);
  const over = cards(page, 'Terminate');
  await expect(over).toHaveCount(4);
  await expect(over.filter({ hasText: 'Collegamento perso' })).toContainText('Frasi · frase 2 di 2');
  await expect(over.filter({ hasText: 'Codice disattivato' })).toHaveCount(1);
  await expect(over.filter({ hasText: 'Codice eliminato' })).toHaveCount(1);
  await expect(over.filter({ hasText: 'Ha chiuso la pagina' })).toContainText('Sorpresa completata');
});

test('of the ended ones the latest ten are shown; what looks like a script is text', {
  tag: '@long',
}, async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const ended = {
    is_active: false,
    disconnection_reason: 'timeout',
    disconnected_at: at(0),
    user_agent: MEAN,
  };
  await copies(
    evening,
    Array.from({ length: 12 }, (_, index) => ({
      ...ended,
      started_at: at(index),
      token_value: `ROM-${index}`,
    })),
    MEAN,
  );
  await signInAdmin(page, evening.server);
  await page.goto(`${evening.server.url}/admin/sessions`);
  const over = cards(page, 'Terminate');
  await expect(over).toHaveCount(10);
  await expect(over.first()).toContainText('ROM-0');
  await expect(over.last()).toContainText('ROM-9');
  await told(page, '12 terminate');
  await told(page, 'Qui le ultime 10 di 12.');
  await expect(over.first()).toContainText('Dispositivo sconosciuto');
  // The name of the one code that is still there.
  await expect(cards(page, 'Attive Ora')).toContainText(MEAN);
  await expect(over.first()).toContainText('codice eliminato');
});

test('sessions and events that can’t be read say so', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/Failed to load resource/);
  await page.clock.install();
  await page.route(/\/api\/admin\/(sessions|logs)/, (route) => route.fulfill({ status: 502, body: 'no' }));
  for (const [path, sentence] of [
    ['/admin/sessions', 'Errore caricamento sessioni'],
    ['/admin/logs', 'Errore caricamento log'],
  ] as const) {
    await adminSite.open(path);
    await inTime(page, page.getByText(sentence));
    await expect(page.getByRole('button', { name: 'Riprova' })).toBeVisible();
  }
});

test('events: the latest hundred, labels, filter, raw details; new ones come by themselves', async ({
  page,
  adminSite,
}) => {
  await forgetEvents(adminSite);
  await adminSite.open('/admin/logs');
  await told(page, '0 eventi');
  await told(page, 'Nessun evento');

  const entries = page.getByRole('list', { name: 'Eventi, dal più recente' }).getByRole('listitem');
  await adminSite.admin.call('POST', '/admin/tokens', { nome: 'Giulia' });
  await expect(entries).toHaveCount(1);
  await expect(entries).toContainText('Codice creato');
  await told(page, '1 evento');

  const device_id = `device-${'7'.repeat(60)}`;
  await events(adminSite, [
    ...Array.from({ length: 110 }, (_, index) => ({
      event_type: 'session_started',
      created_at: at(500 + index),
    })),
    {
      event_type: 'access_denied',
      token_value: MEAN,
      device_id,
      user_agent: MEAN,
      success: false,
      error_message: 'Codice scaduto',
      metadata: JSON.stringify({ reason: 'token_expired', detail: MEAN }),
    },
    { event_type: 'luna_piena', success: false, error_message: 'Troppo chiara' },
    ...['session_ended', 'access_granted', 'forced_disconnect', 'token_revoked'].map((event_type) => ({
      event_type,
    })),
  ]);
  await page.getByRole('button', { name: 'Aggiorna' }).click();
  await expect(entries).toHaveCount(100);
  await told(page, '117 eventi');
  const badges = new Map(
    await page
      .locator('[data-event]')
      .evaluateAll((all) =>
        all.map(
          (badge) =>
            [
              badge.getAttribute('data-event'),
              `${badge.textContent}|${getComputedStyle(badge).color}`,
            ] as const,
        ),
      ),
  );
  expect([...badges].map(([type, look]) => [type, look.split('|')[0]]).toSorted()).toEqual([
    ['access_denied', 'Accesso negato'],
    ['access_granted', 'Accesso consentito'],
    ['forced_disconnect', 'Disconnessione forzata'],
    ['luna_piena', 'luna_piena'],
    ['session_ended', 'Sessione terminata'],
    ['session_started', 'Sessione iniziata'],
    ['token_created', 'Codice creato'],
    ['token_revoked', 'Codice revocato'],
  ]);
  expect(new Set([...badges.values()].map((look) => look.split('|')[1])).size).toBe(8);
  await expect(entries.filter({ hasText: 'luna_piena' })).toContainText('Non riuscito: Troppo chiara');

  const filter = page.getByRole('combobox', { name: 'Tipo di evento' });
  await expect(filter.getByRole('option')).toHaveText([
    'Tutti gli eventi',
    'Sessione iniziata',
    'Sessione terminata',
    'Accesso consentito',
    'Accesso negato',
    'Disconnessione forzata',
    'Area riservata',
  ]);
  await filter.selectOption('Accesso negato');
  await expect(entries).toHaveCount(1);
  await told(page, '1 evento');
  await expect(entries).toContainText(`Il codice ${MEAN} non ha aperto: Codice scaduto.`);
  await expect(entries).toContainText(`${device_id.slice(0, 30)}…`);
  await expect(entries.getByText('"reason": "token_expired"')).toBeHidden();
  await entries.locator('summary').click();
  await expect(entries.getByText('"reason": "token_expired"')).toBeVisible();
  await expect(entries).toContainText(`"detail": "${MEAN}"`);
});

test('the CSV holds every event of the list, and is saved under its name', async ({ page, adminSite }) => {
  await forgetEvents(adminSite);
  await adminSite.admin.call('POST', '/admin/tokens', { nome: 'Giulia' });
  await events(adminSite, [
    { event_type: 'access_denied', token_value: '=1+1', success: false, error_message: 'Dice "no", e basta' },
    { event_type: 'luna_piena', device_id: 'device-1' },
    ...Array.from({ length: 600 }, (_, index) => ({
      event_type: 'session_started',
      created_at: at(500 + index),
    })),
  ]);
  await adminSite.open('/admin/logs');
  await told(page, '603 eventi');

  const held = Promise.withResolvers<void>();
  await page.route('**/api/admin/logs.csv', async (route) => {
    await held.promise;
    await route.continue();
  });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Esporta CSV' }).click();
  await expect(page.getByRole('button', { name: 'Esportazione…' })).toBeDisabled();
  held.resolve();
  const file = await download;
  await told(page, 'CSV esportato con successo');
  expect(file.suggestedFilename()).toMatch(/^event_logs_\d{4}-\d\d-\d\d\.csv$/);

  const text = await readFile(await file.path(), 'utf8');
  expect(text.startsWith('\uFEFF')).toBe(true);
  const [columns, ...rows] = parsed(text.slice(1));
  expect(columns).toEqual(['Data/Ora', 'Tipo Evento', 'Token', 'Device ID', 'Successo', 'Errore']);
  expect(rows).toHaveLength(603);
  const shown = await page.locator('[data-event]').allTextContents();
  expect(rows.slice(0, 100).map((cells) => cells[1])).toEqual(shown);
  expect(rows.find((cells) => cells[1] === 'Accesso negato')?.slice(1)).toEqual([
    'Accesso negato',
    "'=1+1",
    'N/A',
    'No',
    'Dice "no", e basta',
  ]);
  expect(rows.find((cells) => cells[1] === 'luna_piena')?.slice(1)).toEqual([
    'luna_piena',
    'N/A',
    'device-1',
    'Sì',
    '',
  ]);
});

test('an export that breaks off says so and saves nothing', async ({ page, adminSite, quiet }) => {
  quiet.allow(/Failed to load resource|net::ERR_/);
  await adminSite.open('/admin/logs');
  await page.route('**/api/admin/logs.csv', (route) => route.abort());
  const saved: unknown[] = [];
  page.on('download', (download) => saved.push(download));
  await page.getByRole('button', { name: 'Esporta CSV' }).click();
  await told(page, "Errore durante l'export");
  await expect(page.getByRole('button', { name: 'Esporta CSV' })).toBeEnabled();
  expect(saved).toEqual([]);
});

/** So many minutes ago. */
const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const sessions = ({ server }: Evening) => server.deps.db.selectFrom('active_sessions').selectAll().execute();

/** One real visit, and others like it with changes. */
async function copies(evening: Evening, changes: object[], nome = 'Giulia'): Promise<void> {
  const { url, deps } = evening.server;
  const { token } = await evening.admin.call<Code>('POST', '/admin/tokens', { nome });
  const body = { token, attempt_id: crypto.randomUUID(), device_id: 'device-1-abc' };
  const reply = await fetch(`${url}/api/access`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  });
  expect(reply.status).toBe(200);
  const [visit] = await sessions(evening);
  if (visit === undefined) throw new Error('nobody is inside');
  const unique = () => ({
    id: crypto.randomUUID(),
    attempt_id: crypto.randomUUID(),
    cookie_hash: crypto.randomUUID(),
  });
  await deps.db
    .insertInto('active_sessions')
    .values(changes.map((change) => ({ ...visit, ...unique(), ...change })))
    .execute();
  await countVisit(deps.db, { visite: changes.length }, new Date());
}

/** What signing in has left is not what is looked at. */
async function forgetEvents({ server }: AdminSite): Promise<void> {
  await server.deps.db.deleteFrom('event_logs').execute();
}

/** Events as they are stored, newest unless told. */
async function events({ server }: AdminSite, rows: object[]): Promise<void> {
  const blank = { token_id: null, token_value: null, device_id: null, user_agent: null, error_message: null };
  await server.deps.db
    .insertInto('event_logs')
    .values(
      rows.map((row) => ({
        event_type: '',
        ...blank,
        id: crypto.randomUUID(),
        success: true,
        metadata: '{}',
        created_at: at(0),
        ...row,
      })),
    )
    .execute();
}

/** The cells of a CSV in which every cell is quoted. */
function parsed(csv: string): string[][] {
  return csv
    .split(/\r\n(?=")/)
    .map((line) =>
      [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell]) => (cell ?? '').replaceAll('""', '"')),
    );
}

/** The phone is locked, or looked at again: then the page says again by itself whether it is seen. */
async function hide(phone: Page, hidden: boolean): Promise<void> {
  await phone.evaluate((hidden) => {
    if (hidden) {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    } else {
      Reflect.deleteProperty(document, 'hidden');
      Reflect.deleteProperty(document, 'visibilityState');
    }
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
