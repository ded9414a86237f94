import { HEADER, SEALED_SEGMENT } from '../../../sealed/layout.ts';
import type { SealedEvening } from '../sealed-evening.ts';

/** Where the page is, and what its worker takes (decision 077). */
export const PAGE = '/piano-b/';
const WORKER = `${PAGE}worker.js`;

/** The page's own file and the sealed evening; nothing else. The worker knows it by the same name. */
const CACHE = 'piano-b';
const EVENING = `${PAGE}serata`;
/** Answers that wait, sealed to the site. */
const ANSWERS = 'piano-b-risposte';

/** Beside the evening: which one it is, and the site's key for her answers. */
const SAID = { version: 'x-version', key: 'x-key' };

export type KeptEvening = { version: string; key: string; sealed: SealedEvening };

/** A browser that can't keep a page: no https, or no such thing at all. */
export const canKeep = (): boolean => 'serviceWorker' in navigator && 'caches' in globalThis;

/** What this phone keeps; null where it keeps nothing. */
export async function keptEvening(): Promise<KeptEvening | null> {
  const kept = await caches.match(EVENING, { cacheName: CACHE });
  const version = kept?.headers.get(SAID.version) ?? null;
  const key = kept?.headers.get(SAID.key) ?? null;
  if (kept === undefined || version === null || key === null) return null;
  return { version, key, sealed: await eveningIn(await kept.blob()) };
}

/** Each segment is read when it is asked for. */
async function eveningIn(kept: Blob): Promise<SealedEvening> {
  const bytes = async (from: number, length: number) =>
    new Uint8Array(await kept.slice(from, from + length).arrayBuffer());
  const count = (kept.size - HEADER) / SEALED_SEGMENT;
  if (!Number.isInteger(count) || count < 1) return { whole: false };
  return {
    whole: true,
    header: await bytes(0, HEADER),
    count,
    segment: (place) => bytes(HEADER + place * SEALED_SEGMENT, SEALED_SEGMENT),
  };
}

/** Fetches the evening there is, the page with it, and has the worker answer for both. Rejects where the line breaks or there is no room. */
export async function keep(key: string): Promise<void> {
  const evening = await fetch('/api/plan-b/evening.bin', { cache: 'no-store' });
  const version = /^"(.+)"$/.exec(evening.headers.get('etag') ?? '')?.[1];
  if (!evening.ok || version === undefined) throw new Error(`No evening: ${evening.status}`);
  const cache = await caches.open(CACHE);
  const headers = { [SAID.version]: version, [SAID.key]: key };
  await cache.put(EVENING, new Response(evening.body, { headers }));
  await keepPage();
  // Where it is granted, the browser throws it away less easily.
  await navigator.storage?.persist?.().catch(() => false);
}

/** The page as the site has it now, which goes with what is kept. */
export async function keepPage(): Promise<void> {
  const page = await fetch(PAGE, { cache: 'no-cache' });
  if (!page.ok) throw new Error(`No page: ${page.status}`);
  await (await caches.open(CACHE)).put(PAGE, page);
  await navigator.serviceWorker.register(worker(), { scope: PAGE });
  await navigator.serviceWorker.ready;
}

let address: string | undefined;

/** Only this one address may become a worker. */
function worker(): string {
  address ??=
    globalThis.trustedTypes
      ?.createPolicy('piano-b', { createScriptURL: (asked) => (asked === WORKER ? asked : null) })
      .createScriptURL(WORKER) ?? WORKER;
  return address;
}

/** Everything goes: page, evening, answers, worker. */
export async function letGo(): Promise<void> {
  await Promise.all([CACHE, ANSWERS].map((name) => caches.delete(name)));
  await (await navigator.serviceWorker.getRegistration(PAGE))?.unregister();
}

/** Keeps sealed answers until they are taken. @param name each of its own: what is kept is never changed */
export async function keepSealed(name: string, sealed: Uint8Array<ArrayBuffer>): Promise<void> {
  await (await caches.open(ANSWERS)).put(`${PAGE}risposte/${name}`, new Response(sealed));
}

/** Those that wait, each with the way to be rid of it. */
export async function waitingAnswers(): Promise<{ sealed: Uint8Array; remove: () => Promise<unknown> }[]> {
  const cache = await caches.open(ANSWERS);
  const names = await cache.keys();
  const found = await Promise.all(
    names.map(async (name) => {
      const kept = await cache.match(name);
      return kept === undefined
        ? []
        : [{ sealed: new Uint8Array(await kept.arrayBuffer()), remove: () => cache.delete(name) }];
    }),
  );
  return found.flat();
}
