import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { parseCsv } from '../support/csv.ts';
import { call } from '../support/http.ts';
import {
  account,
  adminPage,
  expect,
  expectNotice,
  laptop,
  part,
  signInAdmin,
  test,
} from './support/admin.ts';
import { enter, inTime } from './support/stage.ts';
import { oneTrip, words } from './support/surprises.ts';
import { IPHONE, withPhone } from './support/visitor.ts';
import { answer, downloadTickets, startVideo } from './support/walk.ts';

/** The administrator's view of a visit in progress and of its records: sessions, dashboard, answers, events. */
test.use(laptop);

const cards = (page: Page, section: string) =>
  page.getByRole('region', { name: section }).getByRole('article');
const says = (page: Page, title: string) => expect(page.getByRole('heading', { name: title })).toBeVisible();

test('follows a visit to its end without a reload', async ({ page, prepare, browser }) => {
  test.slow();
  const evening = await prepare(oneTrip);
  const { server } = evening;
  const code = await evening.code();
  await signInAdmin(page, server);
  await adminPage(page, server, '/admin/sessions');
  await expect(page.getByText('Nessuna sessione trovata')).toBeVisible();
  await page.evaluate('window.notReloaded = true');
  const dashboard = await page.context().newPage();
  await adminPage(dashboard, server, '/admin/dashboard');
  await says(dashboard, 'quasi pronta');
  const inside = cards(page, 'Attive Ora');
  const at = page.locator('[aria-current=step]');
  await withPhone(
    browser,
    async (phone) => {
      await enter(phone, evening, code.token);
      await expect(inside).toHaveCount(1);
      for (const text of ['ONLINE', 'iPhone · Safari', `${code.token} · Giulia`])
        await expect(inside).toContainText(text);
      const session = await server.deps.db
        .selectFrom('active_sessions')
        .selectAll()
        .executeTakeFirstOrThrow();
      await expect(inside).toContainText(`${session.device_id.slice(0, 20)}…`);
      await expect(inside).not.toContainText(session.device_id);
      await says(dashboard, 'Giulia è alle frasi prima del video');
      await inTime(phone, phone.getByRole('button', { name: 'Inizia Esperienza' }));
      await expect(at).toHaveText('Video: adesso');
      await says(dashboard, 'Giulia è al video');
      await hide(phone, true);
      await expect(inside).toContainText('schermo spento o altra app');
      await hide(phone, false);
      await expect(inside).not.toContainText('schermo spento o altra app');
      await startVideo(phone);
      await expect(at).toHaveText('Frasi: adesso');
      await expect(inside).toContainText(/frase [12] di 2/);
      await inTime(phone, phone.getByText('3 marzo 2027'));
      await expect(inside).toContainText('tappa 5 di 7');
      await downloadTickets(phone);
      await answer(phone, words.domanda_1, 'Sì');
      await answer(phone, words.domanda_2, 'Sì');
      await says(dashboard, 'Giulia è al finale');
      await expect(at).toHaveText('Finale: adesso');
      await inTime(phone, phone.getByRole('button', { name: 'Ho un codice' }));
    },
    { userAgent: IPHONE },
  );
  await expect(inside).toHaveCount(0);
  await expect(cards(page, 'Terminate')).toContainText('Sorpresa completata');
  expect(await page.evaluate('window.notReloaded')).toBe(true);
  await says(dashboard, 'Ha detto sì');

  await adminPage(page, server, '/admin/checkbox');
  const given = part(page, 'Risposte ricevute').getByRole('listitem');
  await expect(given).toContainText(`Giulia ${code.token}`);
  await expect(given.locator('dl > div')).toHaveText([`${words.domanda_1}Sì`, `${words.domanda_2}Sì`]);
  // A changed question doesn't change recorded answers.
  const { versione } = await evening.admin.call<{ versione: number }>('GET', '/admin/questions');
  await evening.admin.call('PATCH', '/admin/questions', { versione, fields: { domanda_1: 'E adesso?' } });
  await evening.admin.call('DELETE', `/admin/tokens/${code.id}`);
  await expect(given).toContainText('codice eliminato');
  await expect(given.locator('dl > div').first()).toHaveText(`${words.domanda_1}Sì`);
});

/** Locks the phone, or unlocks it: the page then reports its visibility. */
async function hide(phone: Page, hidden: boolean): Promise<void> {
  await phone.evaluate((isHidden) => {
    const state = isHidden ? 'hidden' : 'visible';
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test('lists the latest events, adds new ones at once, and exports them all', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  const { admin, server } = adminSite;
  const { db } = server.deps;
  const mean = '<script>alert(1)</script>';
  // Removes the events of signing in.
  await db.deleteFrom('event_logs').execute();
  await adminSite.open('/admin/logs');
  await expect(page.getByText('Nessun evento', { exact: true })).toBeVisible();
  const entries = page.getByRole('list', { name: 'Eventi, dal più recente' }).getByRole('listitem');
  await admin.call('POST', '/admin/tokens', { nome: 'Giulia' });
  await expect(entries).toContainText(['Codice creato']);
  await call(server.url, 'POST', '/auth/sign-in/email', { ...account, password: 'non-è-questa' });
  await expect(entries.first()).toContainText('Accesso all’area riservata fallito');

  const blank = { token_id: null, token_value: null, user_agent: null, error_message: null, metadata: '{}' };
  const event = (minutes: number, fields: object) => ({
    ...blank,
    id: crypto.randomUUID(),
    event_type: 'session_started',
    device_id: null,
    success: true,
    created_at: new Date(Date.now() - minutes * 60_000).toISOString(),
    ...fields,
  });
  const denied = {
    event_type: 'access_denied',
    token_value: '=1+1',
    success: false,
    error_message: 'Dice "no", e basta',
    metadata: JSON.stringify({ reason: 'token_expired', detail: mean }),
  };
  const many = Array.from({ length: 600 }, (_, index) => event(500 + index, {}));
  const odd = { event_type: 'luna_piena', device_id: `device-${'7'.repeat(60)}` };
  await db
    .insertInto('event_logs')
    .values([event(0, denied), event(0, odd), ...many])
    .execute();
  await page.getByRole('button', { name: 'Aggiorna' }).click();
  await expect(page.getByText('604 eventi')).toBeVisible();
  await expect(entries).toHaveCount(100);
  const shown = await page.locator('[data-event]').allTextContents();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Esporta CSV' }).click();
  const file = await download;
  await expectNotice(page, 'CSV esportato con successo');
  expect(file.suggestedFilename()).toMatch(/^event_logs_\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.startsWith('\uFEFF')).toBe(true);
  const [columns, ...rows] = parseCsv(text);
  expect(columns?.slice(1)).toEqual(['Tipo Evento', 'Token', 'Device ID', 'Successo', 'Errore']);
  expect(rows).toHaveLength(604);
  expect(rows.slice(0, 100).map((cells) => cells[1])).toEqual(shown);
  const row = (kind: string) => rows.find((cells) => cells[1] === kind)?.slice(2);
  expect(row('Accesso negato')).toEqual(["'=1+1", 'N/A', 'No', 'Dice "no", e basta']);
  expect(row('luna_piena')).toEqual(['N/A', odd.device_id, 'Sì', '']);

  const filter = page.getByRole('combobox', { name: 'Tipo di evento' });
  await filter.selectOption('Accesso negato');
  await expect(entries).toHaveCount(1);
  await expect(entries).toContainText('Il codice =1+1 non ha aperto: Dice "no", e basta.');
  const detail = entries.getByText(`"detail": "${mean}"`);
  await expect(detail).toBeHidden();
  await entries.locator('summary').click();
  await expect(detail).toBeVisible();
  await filter.selectOption('Area riservata');
  await expect(entries).toContainText(['Qualcuno ha provato a entrare nell’area riservata senza riuscirci.']);
});
