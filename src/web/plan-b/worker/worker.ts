/**
 * The worker of `/piano-b/` and of nothing else (decision 077): it answers for the page when that is opened, out of what the page itself has kept
 * (`../kept/store.ts`). Whatever else is asked for goes its way. It stands alone: the build only takes its types away.
 */
declare const self: ServiceWorkerGlobalScope;

/** As the page calls it. */
const CACHE = 'piano-b';

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname } = new URL(self.registration.scope);
  if (request.mode !== 'navigate' || new URL(request.url).pathname !== pathname) return;
  event.respondWith(keptPage(pathname, request));
});

async function keptPage(path: string, request: Request): Promise<Response> {
  const kept = await self.caches.match(path, { cacheName: CACHE });
  return kept ?? fetch(request);
}
