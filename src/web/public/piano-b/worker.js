// Replaces the worker that kept Piano B on a phone: deletes what it kept, then goes. Removed with the next release.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(letGo()));

async function letGo() {
  const pages = await self.clients.matchAll({ type: 'window' });
  await Promise.all(['piano-b', 'piano-b-risposte'].map((name) => caches.delete(name)));
  await self.registration.unregister();
  await Promise.all(pages.map((page) => page.navigate('/')));
}
