import { expect, test } from 'vitest';
import type { TokenRecord } from '../../src/contract/records.ts';
import { MAX_ACCESSES } from '../../src/domain/limits.ts';
import { addAccess, extendToken, setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { useServer } from '../support/suites.ts';
import { comeIn, makeCode, tryToEnter } from '../support/visits.ts';

const DAY = 24 * 3_600_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const server = useServer(sqliteDatabase);

const more = (token: TokenRecord) => addAccess(server.deps, server.actor, token);
const extend = (token: TokenRecord, giorni: number) =>
  extendToken(server.deps, server.actor, { ...token, giorni });
const stored = (id: string) =>
  server.deps.db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const later = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString();

test('one more access lets one more in', async () => {
  const token = await makeCode(server);
  await comeIn(server, token.token);
  expect(await tryToEnter(server, token.token)).toEqual({ refused: 'CODE_EXHAUSTED' });
  server.messages.length = 0;
  expect(await more(token)).toEqual({ ...token, max_accessi: 2, accessi_usati: 1 });
  expect(server.messages).toEqual([{ type: 'changed', topics: ['tokens'] }]);
  await comeIn(server, token.token);
  expect(await tryToEnter(server, token.token)).toEqual({ refused: 'CODE_EXHAUSTED' });
});

test('asked again with the number that was seen, it adds nothing', async () => {
  const token = await makeCode(server);
  const first = await more(token);
  expect(await more(token)).toEqual(first);
  expect(await stored(token.id)).toMatchObject({ max_accessi: 2 });
});

test('50 times the same request at once add one access and one extension', async () => {
  const token = await makeCode(server);
  const fifty = Array.from({ length: 50 });
  const added = await Promise.all(fifty.map(() => more(token)));
  const extended = await Promise.all(fifty.map(() => extend(token, 10)));
  expect(added.filter((answer) => !isRefused(answer) && answer.max_accessi === 2)).toHaveLength(50);
  const scadenza = later(40 * DAY);
  expect(extended.filter((answer) => !isRefused(answer) && answer.scadenza === scadenza)).toHaveLength(50);
  expect(await stored(token.id)).toMatchObject({ max_accessi: 2, scadenza });
});

test('while 20 try to enter, exactly as many come in as the code allows in the end', async () => {
  const token = await makeCode(server, { max_accessi: 3 });
  const [entries] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, () => tryToEnter(server, token.token))),
    more(token),
  ]);
  const inside = entries.filter((entry) => !isRefused(entry)).length;
  expect([3, 4]).toContain(inside);
  expect(await stored(token.id)).toMatchObject({ max_accessi: 4, accessi_usati: inside });
  if (inside === 3) await comeIn(server, token.token);
  expect(await tryToEnter(server, token.token)).toEqual({ refused: 'CODE_EXHAUSTED' });
});

test('a code takes no more than a million accesses', async () => {
  const token = await makeCode(server, { max_accessi: MAX_ACCESSES });
  expect(await more(token)).toEqual(token);
});

test('an extension counts from the expiry while it lies ahead', async () => {
  const token = await makeCode(server, { giorni: 5 });
  expect(await extend(token, 7)).toEqual({ ...token, scadenza: later(12 * DAY) });
});

test('an extension of an expired code counts from now, and opens it', async () => {
  const token = await makeCode(server, { giorni: 1 });
  server.clock.advance(3 * DAY);
  expect(await tryToEnter(server, token.token)).toEqual({ refused: 'CODE_EXPIRED' });
  expect(await extend(token, 2)).toMatchObject({ scadenza: later(2 * DAY) });
  await comeIn(server, token.token);
});

test('an extension that was seen otherwise changes nothing', async () => {
  const token = await makeCode(server, { giorni: 5 });
  const first = await extend(token, 7);
  expect(await extend(token, 7)).toEqual(first);
  expect(await extend({ ...token, scadenza: null }, 7)).toEqual(first);
});

test('a code that never expires stays so', async () => {
  const token = await makeCode(server, { giorni: null });
  expect(await extend(token, 7)).toEqual(token);
  expect(await extend({ ...token, scadenza: later(0) }, 7)).toEqual(token);
  expect(await stored(token.id)).toMatchObject({ scadenza: null });
});

test('extended again and again, the expiry can still be compared', async () => {
  const token = await makeCode(server);
  const far = '9999-12-01T00:00:00.000Z';
  await server.deps.db.updateTable('tokens').set({ scadenza: far }).where('id', '=', token.id).execute();
  expect(await extend({ ...token, scadenza: far }, 3_650)).toMatchObject({
    scadenza: '9999-12-31T23:59:59.999Z',
  });
  await comeIn(server, token.token);
});

test('a revoked code can be given more, and stays revoked', async () => {
  const token = await makeCode(server);
  await setTokenActive(server.deps, server.actor, { id: token.id, attivo: false });
  expect(await more(token)).toMatchObject({ attivo: false, max_accessi: 2 });
  expect(await extend(token, 1)).toMatchObject({ attivo: false });
  expect(await tryToEnter(server, token.token)).toEqual({ refused: 'CODE_INVALID' });
});

test('what isn’t there is not found', async () => {
  const token = await makeCode(server);
  expect(await more({ ...token, id: NOBODY })).toEqual({ refused: 'NOT_FOUND' });
  expect(await extend({ ...token, id: NOBODY }, 1)).toEqual({ refused: 'NOT_FOUND' });
});
