import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { call } from '../support/http.ts';
import type { TestServer } from '../support/server.ts';
import { openSignedUp, type SignedUp } from '../support/signed-up.ts';
import { announce } from '../support/uploads.ts';

const databases: [string, () => Promise<EmptyDatabase>][] = [
  ['sqlite', emptySqlite],
  ['postgres', emptyPostgres],
];

/** What one of the databases can't take, though it has the right form. */
describe.each(databases)('input that is none for a database, on %s', (_name, empty) => {
  let opened: SignedUp;
  let server: TestServer;
  let cookie: string;
  beforeAll(async () => {
    opened = await openSignedUp(empty);
    ({ server, cookie } = opened);
  });
  afterAll(() => opened.close());

  test.each([
    // Whoever read a version of it had read something.
    ['/admin/config', 'NOT_FOUND'],
    ['/admin/questions', 'STALE_VERSION'],
  ])('%s: a version nobody ever read', async (path, refusal) => {
    const save = (versione: number) => call(server.url, 'PATCH', path, { versione, fields: {} }, { cookie });
    expect((await save(2 ** 31 - 1)).body.codice).toBe(refusal);
    for (const versione of [2 ** 31, 2 ** 53 - 1, -1, 0.5])
      expect((await save(versione)).body.codice).toBe('BAD_INPUT');
  });

  test('a poster for a video that can’t be one', async () => {
    for (const video of ['\0', 'a\0b', '\uffff', 'x'.repeat(2_000), "' or 1=1 --"])
      expect(
        (await announce({ url: server.url, cookie }, 100, { slot: 'poster', filename: 'a.jpg', video })).body
          .codice,
      ).toBe('NOT_FOUND');
  });
});
