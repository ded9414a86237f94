import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { adminClient, signIn, signUp } from '../../demo/admin-client.ts';
import { fillIn } from '../../demo/prepare.ts';
import { normalizeCode } from '../../src/domain/codes.ts';
import { foundIn, sealEvening } from '../support/plan-b.ts';
import { newFolder, startServer } from '../support/server.ts';
import { account } from './support/prepared-folders.ts';
import { expect, submit, test } from './support/stage.ts';
import { twoTrips, words } from './support/surprises.ts';
import { sees, walkFromCardToEnd, walkToCard } from './support/walk.ts';

/** The evening kept on a phone by a worker of its own path, and walked with nobody at the other end. */

/** A code costs 64 MiB four times over, on a machine that has other things to do. */
const CODE_TRIED = { timeout: 60_000 };

test('kept by the worker it is walked without the site, and the answers arrive once', {
  tag: '@full',
}, async ({ page, quiet }) => {
  test.slow();
  quiet.allow(/ERR_CONNECTION_REFUSED/);
  const dataDir = await newFolder();
  const first = await startServer({ dataDir });
  const hands = await signUp(first.url, account);
  const admin = adminClient(first.url, hands);
  await fillIn(first, admin, twoTrips);
  const code = await admin.call<{ id: string; token: string }>('POST', '/admin/tokens', { nome: 'Giulia' });
  await sealEvening({ url: first.url, cookie: await signIn(first.url, account) });
  const { pass, id } = await admin.call<{ pass: string; id: number }>('POST', '/admin/plan-b/pass', {
    nome: 'Il telefono di Giulia',
  });
  const there = `${first.url}/piano-b/`;

  await page.goto(`${there}#${pass}`);
  const asked = page.getByPlaceholder('Il tuo codice');
  await expect(asked).toBeVisible({ timeout: 30_000 });
  await expect
    .poll(
      async () =>
        (await admin.call<{ phones: { keeps: string }[] }>('GET', '/admin/plan-b')).phones[0]?.keeps,
    )
    .toBe('current');
  expect(new URL(page.url()).hash).toBe('');
  // Of the whole site the worker has this one path.
  expect(await scopes(page)).toEqual([there]);

  await first.stop();
  await page.clock.install();
  await page.goto(there);
  await submit(page, 'ROM-SBAGLIAT');
  await expect(page.getByRole('alert')).toHaveText('Codice non valido', CODE_TRIED);
  await submit(page, code.token);
  await sees(page, words.pre[0], CODE_TRIED.timeout);
  await walkToCard(page);
  await walkFromCardToEnd(page);
  await page.clock.runFor(10_000);
  await sees(page, 'La serata è finita');
  await expect(page.getByRole('status').filter({ hasText: 'partono da sole' })).toBeVisible();

  const picture = await readFile(join(import.meta.dirname, '../fixtures/picture.jpg'));
  const secrets = [
    picture.subarray(0, 24),
    picture.subarray(600, 624),
    code.token,
    normalizeCode(code.token),
    code.id,
    ...textsIn(twoTrips),
    '"risposta_1"',
  ];
  const kept = await everythingKept(page);
  // The page, the sealed evening, and sealed answers; what is looked for is found where it is.
  expect(kept.names.map((name) => name.replace(/[0-9a-f-]{36}/, 'id')).toSorted()).toEqual([
    'piano-b /piano-b/',
    'piano-b /piano-b/serata',
    'piano-b-risposte /piano-b/risposte/id/1',
    'piano-b-risposte /piano-b/risposte/id/2',
    'piano-b-risposte /piano-b/risposte/id/2-fine',
  ]);
  expect(foundIn(Buffer.from(`x${Buffer.from(code.token).toString('base64')}`), secrets)).toEqual([
    code.token,
  ]);
  for (const bytes of kept.bytes) expect(foundIn(bytes, secrets)).toEqual([]);

  const again = await startServer({ dataDir, env: { PORT: new URL(first.url).port } });
  try {
    await page.goto(there);
    const answers = () => admin.call<{ piano_b: boolean; token_value: string }[]>('GET', '/admin/answers');
    await expect.poll(async () => (await answers()).length).toBe(2);
    expect(await answers()).toMatchObject([{ piano_b: true }, { piano_b: true }]);
    await expect.poll(async () => (await everythingKept(page)).names).toHaveLength(2);
    const { terminate } = await admin.call<{ terminate: object[] }>('GET', '/admin/sessions');
    expect(terminate).toMatchObject([
      { piano_b: true, token_value: code.token, completed_at: expect.any(String) },
    ]);
    const tokens = await admin.call<object[]>('GET', '/admin/tokens');
    expect(tokens).toMatchObject([{ accessi_usati: 0 }]);

    await admin.call('DELETE', `/admin/plan-b/pass/${id}`);
    await page.goto(there);
    await sees(page, 'Il piano B non è più qui', 30_000);
    expect((await everythingKept(page)).names).toEqual([]);
    expect(await scopes(page)).toEqual([]);
  } finally {
    await page.close();
    await again.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Every text of a surprise that is long enough to be looked for. */
function textsIn(part: unknown): string[] {
  if (typeof part === 'string') return part.length >= 6 ? [part] : [];
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(textsIn) : [];
}

const scopes = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope));

/** Whatever this browser keeps of the site, by name, and its bytes. */
async function everythingKept(page: Page): Promise<{ names: string[]; bytes: Buffer[] }> {
  const found = await page.evaluate(async () => {
    const inBase64 = async (body: Blob) =>
      new Promise<string>((resolve) => {
        const reader = new FileReader();
        reader.addEventListener('load', () => {
          if (typeof reader.result === 'string') resolve(reader.result.replace(/^[^,]*,/, ''));
        });
        reader.readAsDataURL(body);
      });
    const kept: { name: string; headers: string; body: string }[] = [];
    for (const cacheName of await caches.keys()) {
      const cache = await caches.open(cacheName);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        if (response === undefined) continue;
        kept.push({
          name: `${cacheName} ${new URL(request.url).pathname}`,
          headers: JSON.stringify([...response.headers]),
          body: await inBase64(await response.blob()),
        });
      }
    }
    const others = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await indexedDB.databases()]);
    return { kept, others };
  });
  return {
    names: found.kept.map(({ name }) => name),
    bytes: [
      Buffer.from(found.others),
      ...found.kept.flatMap(({ headers, body }) => [Buffer.from(headers), Buffer.from(body, 'base64')]),
    ],
  };
}
