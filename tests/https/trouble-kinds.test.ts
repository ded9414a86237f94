import { expect, test } from 'vitest';
import { AuthoritySaidNo, NoAnswer } from '../../src/server/https/authority.ts';
import { askingTrouble, portTrouble } from '../../src/server/https/trouble.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';

/** What a failure is told as, where nobody has to be asked for an address. */

const said = (type: string, more: { status?: number; retryAfter?: string; domain?: string } = {}) =>
  new AuthoritySaidNo('perché', { type, ...more });

test.each<[string, unknown, string]>([
  ['what can’t be kept', new StorageUnavailable('no'), 'not_kept'],
  ['an authority that doesn’t answer', new NoAnswer('no'), 'authority_away'],
  ['anything else', new Error('no'), 'refused'],
  ['what is no error', 'no', 'refused'],
  ['429', said('', { status: 429 }), 'wait'],
  ['rateLimited', said('rateLimited', { status: 403 }), 'wait'],
  ['503 until a moment', said('', { status: 503, retryAfter: '60' }), 'wait'],
  ['503', said('', { status: 503 }), 'authority_away'],
  ['500', said('serverInternal', { status: 500 }), 'authority_away'],
  ['499', said('malformed', { status: 499 }), 'refused'],
  ['a name that it doesn’t want', said('rejectedIdentifier', { domain: 'sera.example' }), 'refused'],
  ['unauthorized, of no name', said('unauthorized'), 'refused'],
])('%s', async (_what, error, kind) => {
  expect(await askingTrouble(error)).toMatchObject({ kind, port: null, found: [], ours: [] });
});

test('a name is told with what was said of it, and no more of that than 500 signs', async () => {
  const of = (detail: string) =>
    askingTrouble(new AuthoritySaidNo(detail, { type: 'malformed', domain: 'sera.example' }));
  expect(await of('x'.repeat(501))).toMatchObject({ name: 'sera.example', detail: 'x'.repeat(500) });
});

test.each([
  ['EACCES', 'port_refused'],
  ['EADDRINUSE', 'port_taken'],
  ['EADDRNOTAVAIL', 'port_closed'],
])('a port that can’t be had because of %s', (code, kind) => {
  expect(portTrouble(80, Object.assign(new Error('no'), { code }))).toMatchObject({
    kind,
    port: 80,
    detail: 'no',
  });
});
