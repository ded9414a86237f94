import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { WEB_ROOT } from '../../src/server/start.ts';
import { call } from '../support/http.ts';
import { enter, expect, inTime, pass, sessionsOf, still, takeUp, test, tokenRow } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { probe, sees, walkToCard } from './support/walk.ts';

test.use(still);

/** What can go wrong on her way, each with its sentence and a way on. The browser's own lines about failed requests are expected here. */
test.beforeEach(async ({ page, quiet }) => {
  quiet.allow(/UNREADABLE|Failed to load resource|net::ERR_|dynamically imported module|Importing a module/);
  await page.clock.install();
});

test('an answer that is not our server’s: the check failed, the code can be sent again', async ({
  page,
  prepare,
}) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code({ max_accessi: 1 });
  await page.route(
    '**/api/access',
    (route) => route.fulfill({ status: 502, body: '<html>Bad gateway</html>' }),
    {
      times: 1,
    },
  );
  await enter(page, evening, code.token);
  await expect(page.getByText('Errore durante la verifica')).toBeVisible();
  // As unlikely as it is: another code has been used with the same attempt meanwhile.
  const other = await evening.code();
  const [attempt_id] = await probe<string[]>(
    page,
    'Object.values(JSON.parse(sessionStorage.getItem("entry-attempts")))',
  );
  const entry = { token: other.token, attempt_id, device_id: 'device-1-a' };
  expect((await call(evening.server.url, 'POST', '/access', entry)).status).toBe(200);
  const again = page.getByRole('button', { name: 'Scopri la Sorpresa' });
  await again.tap();
  await expect(page.getByText('Si è verificato un errore', { exact: true })).toBeVisible();
  await again.tap();
  await sees(page, words.pre[0]);
});

test('no network while the evening is loaded: it goes on by itself', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  const seen = Promise.withResolvers<void>();
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);
  await page.route('**/api/visit/resume', async (route) => {
    await seen.promise;
    await route.abort();
  });
  await takeUp(page, evening);
  const waiting = page.getByRole('status').filter({ hasText: 'Un attimo…' });
  await expect(waiting).toBeAttached();
  await expect(waiting).toHaveCSS('animation-delay', '0.6s');
  await expect(page.locator('progress, [role=progressbar]')).toHaveCount(0);
  seen.resolve();
  await inTime(page, page.getByText('Connessione persa. Riconnessione in corso…', { exact: true }));
  // Tapped while there is no network yet: afterwards the page may be quicker.
  const asked = page.waitForRequest('**/api/visit/resume');
  await page.getByRole('button', { name: 'Riprova' }).tap();
  await asked;
  await page.unroute('**/api/visit/resume');
  await inTime(page, page.getByText(words.pre[0], { exact: true }));
});

test('a configuration that can’t be loaded leads back, and the visit can be taken up again', {
  tag: '@long',
}, async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);
  await page.route('**/api/visit/resume', (route) =>
    route.fulfill({ status: 500, json: { codice: 'INTERNAL', messaggio: 'Si è verificato un errore' } }),
  );
  await takeUp(page, evening);
  await inTime(page, page.getByText('Errore nel caricamento della configurazione', { exact: true }));
  await expect(page).toHaveURL(`${evening.server.url}/`);
  await page.unroute('**/api/visit/resume');
  await page.reload();
  await page.getByRole('button', { name: 'Riprendi' }).tap();
  await sees(page, words.pre[0]);
});

test('a film that can’t be had: «Riprova» first, then the way back, told to the administrator, nothing spent', async ({
  page,
  prepare,
}) => {
  test.setTimeout(240_000);
  const evening = await prepare(but(oneTrip, { config: { frasi_pre_video: [] } }));
  const code = await evening.code();
  await page.route('**/api/media/*.mp4', (route) => route.fulfill({ status: 404, body: '' }));
  await enter(page, evening, code.token);
  const start = page.getByRole('button', { name: 'Inizia Esperienza' });
  await pass(page, 7);
  await expect(start).toBeEnabled();
  await start.tap();
  await inTime(page, page.getByText('Impossibile avviare il video', { exact: true }));
  await inTime(page, page.getByText('Errore caricamento video', { exact: true }));
  await page.getByRole('button', { name: 'Riprova' }).tap();
  await inTime(page, page.getByRole('button', { name: 'Riprendi' }));
  await expect(page).toHaveURL(`${evening.server.url}/`);

  const told = async () => {
    const rows = await evening.server.deps.db.selectFrom('notifications').select('payload').execute();
    return rows.filter(({ payload }) => payload.includes('"Errore caricamento video"')).length;
  };
  await expect.poll(told).toBe(1);
  expect((await sessionsOf(evening, code))[0]?.completed_at).toBeNull();
});

test('tickets that can’t be had: the sentence at the tap and no other, and the link stays', async ({
  page,
  prepare,
}) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await page.route('**/biglietti.pdf', (route) => route.abort());
  await enter(page, evening, code.token);
  await walkToCard(page);
  const link = page.getByRole('link', { name: 'Scarica i biglietti' });
  await expect(link).toBeVisible();
  await pass(page, 10);
  await expect(page.getByText('Errore durante il download')).toHaveCount(0);
  await link.tap();
  await expect(page.getByText('Errore durante il download')).toBeVisible();
  await expect(page.getByText('Download avviato!')).toHaveCount(0);
  await expect(link).toBeVisible();
  await pass(page, 1.5);
  await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();
});

test.describe('a page whose chunk an update removed', () => {
  const reloaded = (page: Page) => page.getByText('La pagina si è aggiornata.');

  test('reloads with the typed code, and spends a use at the next tap only', async ({ page, prepare }) => {
    const evening = await prepare(oneTrip);
    const code = await evening.code({ max_accessi: 1 });
    await page.route(`**/${await experienceChunk()}`, (route) => route.fulfill({ status: 404, body: '' }));
    await enter(page, evening, code.token);
    await inTime(page, reloaded(page));
    await expect(page.getByPlaceholder('Il tuo codice')).toHaveValue(code.token);
    expect((await tokenRow(evening, code)).accessi_usati).toBe(0);
    await page.unroute(`**/${await experienceChunk()}`);
    await page.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
    await sees(page, words.pre[0]);
    expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
  });

  test('reloads only once, then shows the error page', async ({ page, prepare }) => {
    const evening = await prepare(oneTrip);
    const code = await evening.code();
    let pages = 0;
    page.on('request', (request) => void (request.isNavigationRequest() && (pages += 1)));
    await page.route(`**/${await experienceChunk()}`, (route) => route.fulfill({ status: 404, body: '' }));
    await enter(page, evening, code.token);
    await inTime(page, reloaded(page));
    await page.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
    await inTime(page, page.getByText('Unexpected Application Error!', { exact: true }));
    await expect(page.getByRole('link')).toBeVisible();
    expect(pages).toBe(2);
  });
});

/** Where the build put the experience. */
async function experienceChunk(): Promise<string> {
  const manifest = await readFile(resolve(WEB_ROOT, '.vite/manifest.json'), 'utf8');
  const chunks = JSON.parse(manifest) as Record<string, { file: string }>;
  const chunk = chunks['visitor/experience/page.tsx'];
  if (chunk === undefined) throw new Error('The experience has no chunk of its own');
  return chunk.file;
}

test('a visit that is no longer known says so and leads back', async ({ page, context, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);
  await context.clearCookies();
  // The first phrase's time begins when the letter has let go.
  await inTime(page, page.getByText('La tua sessione è terminata. Inserisci di nuovo il codice.'));
  await expect(page).toHaveURL(`${evening.server.url}/`);
});
