import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { startServer } from '../support/server.ts';
import { expect, test } from './support/stage.ts';

/** A phone that kept Piano B, with the worker and the caches of the version before. Goes with the next release. */

const OLD_WORKER = `
  self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => {
    const { pathname } = new URL(self.registration.scope);
    if (event.request.mode !== 'navigate' || new URL(event.request.url).pathname !== pathname) return;
    event.respondWith(caches.match(pathname, { cacheName: 'piano-b' }));
  });
`;

test('lets it go at the next visit with network', async ({ page }) => {
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
    await (await caches.open('piano-b-risposte')).put('/piano-b/risposte/1', new Response('sealed'));
    await navigator.serviceWorker.register('/piano-b/worker.js', { scope: '/piano-b/' });
    await navigator.serviceWorker.ready;
  });
  await new Promise((resolve) => {
    before.close(resolve);
    before.closeAllConnections();
  });
  // Without network it opens.
  expect((await page.goto(there))?.fromServiceWorker()).toBe(true);
  expect(await kept(page)).toEqual({ caches: ['piano-b', 'piano-b-risposte'], scopes: [there] });

  const server = await startServer({ env: { PORT: `${port}` } });
  try {
    await page.goto(there, { waitUntil: 'commit' });
    await page.waitForURL(`${server.url}/`);
    await expect.poll(() => kept(page)).toEqual({ caches: [], scopes: [] });
    const worker = await page.request.get(`${there}worker.js`);
    expect([worker.status(), worker.headers()['cache-control']]).toEqual([200, 'no-cache']);
    for (const address of ['/piano-b', '/piano-b/', '/piano-b/serata']) {
      await page.goto(server.url + address);
      expect(page.url()).toBe(`${server.url}/`);
    }
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
