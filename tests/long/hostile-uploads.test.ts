import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { FILE_REFUSALS } from '../../src/contract/admin/media-work.ts';
import { storeMedia } from '../../src/server/features/media/media.service.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { FILMS } from '../support/hostile-film-cases.ts';
import { IMAGES, TICKETS } from '../support/hostile-picture-cases.ts';
import { SONGS } from '../support/hostile-sound-cases.ts';
import { useSignedUp } from '../support/suites.ts';
import { upload } from '../support/uploads.ts';

const CASES = [...IMAGES, ...TICKETS, ...SONGS, ...FILMS];

const { server, to } = useSignedUp();

/** Without the pages of tickets, which are drawn later. */
const rows = () =>
  server.deps.db
    .selectFrom('media')
    .select(['id', 'content_type'])
    .where('nome', 'not like', 'biglietti-page-%')
    .execute();

test('there are at least sixty of them, each of its own kind', () => {
  expect(new Set(CASES.map(([name, slot]) => `${slot}: ${name}`)).size).toBe(CASES.length);
  expect(CASES.length).toBeGreaterThanOrEqual(60);
});

describe.each(CASES)('%s (%s) → %s', (_name, slot, fate, make) => {
  test('is what its bytes are, whatever it is called', async () => {
    const before = await rows();
    const answer = await upload(to, slot, await make(), { filename: NAMES[slot] ?? 'x' });
    const refusal = FILE_REFUSALS.find((code) => code === fate);
    if (refusal !== undefined) {
      expect([answer.body?.codice, answer.status]).toEqual([refusal, 422]);
      expect(answer.body.messaggio).toBe(errorSentences[refusal]);
      expect(await rows()).toEqual(before);
    } else {
      expect(answer.body?.item?.content_type).toBe(fate);
      await expectHarmless(answer.body.item.url, fate);
    }
  });
});

const NAMES: Record<string, string> = {
  immagine: 'foto.jpg',
  biglietti: 'biglietti.pdf',
  canzone: 'canzone.mp3',
  video: 'film.mp4',
};

/** Served as what it is and nothing else; what was made anew has no stranger in it. */
async function expectHarmless(url: string, type: string): Promise<void> {
  const response = await fetch(`${to.url}${url}`, { headers: { cookie: to.cookie } });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  if (type !== 'application/pdf') expect(policy).toContain('sandbox');
  if (type.startsWith('image/'))
    expect(bytes.includes('<script>') || bytes.includes('PK\x03\x04')).toBe(false);
}

test('none of them left a file behind or was an error of ours', async () => {
  // Tickets are drawn meanwhile.
  await expect
    .poll(async () => {
      const left = await readdir(join(server.deps.env.DATA_DIR, 'uploads'));
      return left.filter((name) => !name.endsWith('.refused'));
    })
    .toEqual([]);
  const errors = server
    .logged()
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line));
  expect(errors).toEqual([]);
  const known = new Set(
    (await server.deps.db.selectFrom('media').select('id').execute()).map(({ id }) => id),
  );
  for await (const key of server.deps.storage.keys()) expect(known).toContain(key.split('.')[0]);
});

test('an empty file and a lie about the length are refused before a byte is kept', async () => {
  expect((await upload(to, 'video', Buffer.alloc(0))).body.codice).toBe('FILE_EMPTY');
  expect((await upload(to, 'canzone', Buffer.alloc(0))).body.codice).toBe('FILE_EMPTY');
});

test.each([
  'text/html',
  'image/svg+xml',
  'text/html; charset=utf-8',
  'application/xhtml+xml',
  'text/javascript',
])('even a row that says %s is not served as that', async (content_type) => {
  const content = Readable.from([Buffer.from('<script>alert(1)</script>')]);
  const file = { nome: 'pagina.html', content, content_type, extension: 'html' };
  const { url } = await storeMedia(server.deps, file);
  const response = await fetch(`${to.url}${url}`, { headers: { cookie: to.cookie } });
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
});
