import { describe, expect, test } from 'vitest';
import { emptyDatabases } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { useEmptySignedUp } from '../support/signed-up.ts';

/** What one of the databases can't take, though it has the right form. */
describe.each(emptyDatabases)('input that is none for a database, on %s', (_name, empty) => {
  const on = useEmptySignedUp(empty);

  test.each([
    // Whoever read a version of it had read something.
    ['/admin/config', 'NOT_FOUND'],
    ['/admin/questions', 'STALE_VERSION'],
  ])('%s: a version nobody ever read', async (path, refusal) => {
    const save = (versione: number) =>
      call(on.server.url, 'PATCH', path, { versione, fields: {} }, { cookie: on.cookie });
    expect((await save(2 ** 31 - 1)).body.codice).toBe(refusal);
    for (const versione of [2 ** 31, 2 ** 53 - 1, -1, 0.5])
      expect((await save(versione)).body.codice).toBe('BAD_INPUT');
  });

  test('a poster for a video that can’t be one', async () => {
    for (const video of ['\0', 'a\0b', '\uffff', "' or 1=1 --"]) {
      const path = `/admin/media/video/${encodeURIComponent(video)}/poster`;
      const answer = await call(on.server.url, 'POST', path, { second: 0 }, { cookie: on.cookie });
      expect(['NOT_FOUND', 'BAD_INPUT']).toContain(answer.body.codice);
    }
  });
});
