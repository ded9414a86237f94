import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { startServer } from '../support/server.ts';
import { expectAxeClean } from './support/accessible.ts';
import { signInAdmin, test } from './support/admin.ts';
import { expect, submit } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { downloadTickets, expectPhrase, walkToCard } from './support/walk.ts';

/** Checking a code takes 64 MiB and four passes, on a busy machine. */
const CODE_TRIED = { timeout: 60_000 };

test('is downloaded, and plays as a file with the right code', async ({ page, prepare }, info) => {
  const evening = await prepare(but(oneTrip, { config: { frasi_pre_video: [words.pre[0]] } }));
  await signInAdmin(page, evening.server);
  await page.goto(`${evening.server.url}/admin/piano-b`);
  const make = page.getByRole('button', { name: 'Prepara il piano B' });
  await expect(make).toBeDisabled();
  await expect(page.getByText('Nessun codice apre la serata adesso')).toBeVisible();
  const { token } = await evening.code();
  await page.reload();
  await make.tap();
  await expect(page.getByText('È la serata com’è adesso.')).toBeVisible(CODE_TRIED);
  await expectAxeClean(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Scarica il piano B' }).tap();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('piano-b.html');
  const path = info.outputPath('piano-b.html');
  await download.saveAs(path);
  await evening.code();
  await page.reload();
  await expect(page.getByText('Da allora hai cambiato qualcosa')).toBeVisible();

  await page.goto('about:blank');
  await page.context().setOffline(true);
  await page.clock.install();
  await page.goto(pathToFileURL(path).href);
  await submit(page, 'ROM-SBAGLIAT');
  await expect(page.getByRole('alert')).toHaveText('Codice non valido', CODE_TRIED);
  await submit(page, token);
  await expectPhrase(page, words.pre[0], CODE_TRIED.timeout);
  await walkToCard(page, [words.pre[0]]);
  await page.getByRole('button', { name: 'Guarda i biglietti' }).tap();
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
  await page.getByRole('dialog').getByRole('button').first().tap();
  await downloadTickets(page);
  await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();
});

/** Worker of the previous version on a phone that stored Piano B. To be removed with the next release. */
const OLD_WORKER = `
  self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => {
    const { pathname } = new URL(self.registration.scope);
    if (event.request.mode !== 'navigate' || new URL(event.request.url).pathname !== pathname) return;
    event.respondWith(caches.match(pathname, { cacheName: 'piano-b' }));
  });
`;

test('removes what the previous version stored on a phone', { tag: '@long' }, async ({ page }) => {
  const before = createServer((request, response) => {
    const isWorker = request.url === '/piano-b/worker.js';
    response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html');
    response.end(isWorker ? OLD_WORKER : '<!doctype html><link rel="icon" href="data:,"><p>La busta');
  });
  await new Promise<void>((resolve) => before.listen(0, '127.0.0.1', resolve));
  const { port } = before.address() as AddressInfo;
  const there = `http://127.0.0.1:${port}/piano-b/`;
  await page.goto(there);
  await page.evaluate(async () => {
    await (await caches.open('piano-b')).add('/piano-b/');
    await navigator.serviceWorker.register('/piano-b/worker.js', { scope: '/piano-b/' });
    await navigator.serviceWorker.ready;
  });
  await new Promise((resolve) => {
    before.close(resolve);
    before.closeAllConnections();
  });
  expect((await page.goto(there))?.fromServiceWorker()).toBe(true);
  expect(await kept(page)).toEqual({ caches: ['piano-b'], scopes: [there] });

  const server = await startServer({ env: { PORT: `${port}` } });
  try {
    await page.goto(there, { waitUntil: 'commit' });
    await page.waitForURL(`${server.url}/`);
    await expect.poll(() => kept(page)).toEqual({ caches: [], scopes: [] });
    await page.goto(`${server.url}/piano-b/serata`);
    expect(page.url()).toBe(`${server.url}/`);
  } finally {
    await page.close();
    await server.stop();
  }
});

const kept = (page: Page) =>
  page.evaluate(async () => ({
    caches: await caches.keys(),
    scopes: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
  }));
