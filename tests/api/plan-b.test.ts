import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { normalizeCode } from '../../src/domain/codes.ts';
import { deriveCodeKey } from '../../src/sealed/code-key.ts';
import { unwrapKey } from '../../src/sealed/code-locks.ts';
import { HEADER_BYTES, readHeader, SEALED_SEGMENT_BYTES } from '../../src/sealed/layout.ts';
import { openEvening } from '../../src/sealed/open.ts';
import { call } from '../support/http.ts';
import { buildCode, ok, revokeCode, saveConfig } from '../support/http-evening.ts';
import { foundIn, planBFile, sealEvening } from '../support/plan-b.ts';
import { useEvening } from '../support/suites.ts';

const { server, evening } = useEvening({ titolo_destinazione: 'Lisbona, finalmente' });
let file: Buffer;
const asAdmin = () => ({ url: server.url, cookie: evening.admin });
const state = async () => ok(await call(server.url, 'GET', '/admin/plan-b', undefined, asAdmin())).body;

/** Returns the header and the segments of the sealed evening in a file. */
function blobIn(html: Buffer): { header: Buffer; segments: Buffer[] } {
  const parts = [
    ...html.toString('latin1').matchAll(/<script type="text\/plain" data-sealed="(\d+)">([^<]*)</g),
  ];
  const [header = Buffer.alloc(0), ...segments] = parts.map(([, , data]) =>
    Buffer.from(data ?? '', 'base64'),
  );
  expect(segments).toHaveLength(Number(parts[0]?.[1]));
  return { header, segments };
}

test('seals nothing before a request, and then the current evening', async () => {
  expect(await state()).toMatchObject({ plan: null, making: false, hindrance: null, failed: null });
  expect(
    (await fetch(`${server.url}/api/admin/plan-b/piano-b.html`, { headers: { cookie: evening.admin } }))
      .status,
  ).toBe(404);
  const made = await sealEvening(asAdmin());
  expect(made).toMatchObject({ plan: { current: true }, making: false, failed: null });
  expect((made.plan.size - HEADER_BYTES) % SEALED_SEGMENT_BYTES).toBe(0);
  file = await planBFile(asAdmin());
});

test('opens with the code and contains the film, the song, the pictures and the tickets', async () => {
  const { header, segments } = blobIn(file);
  const key = await unwrapKey(readHeader(header), normalizeCode(evening.token.token), deriveCodeKey);
  const { manifest, files } = await openEvening(
    key ?? new Uint8Array(),
    { count: segments.length, segment: async (place) => segments[place] ?? new Uint8Array() },
    { whole: (parts) => Buffer.concat(parts), join: (parts) => Buffer.concat(parts) },
  );
  const { video, song, picture, tickets_2 } = evening.media;
  expect(manifest.snapshot.config.titolo_destinazione).toBe('Lisbona, finalmente');
  expect(new Set(files.keys())).toEqual(
    new Set([video.url, song.url, picture.url, tickets_2.url, 'biglietti/1', 'biglietti/2']),
  );
  const fixture = (name: string) => readFile(join(import.meta.dirname, '../fixtures', name));
  expect(files.get(video.url)?.equals(await fixture('video-3s.mp4'))).toBe(true);
  expect(files.get(song.url)?.equals(await fixture('song.mp3'))).toBe(true);
  // A picture of tickets is there as the shown page and as the PDF to save.
  expect(files.get('biglietti/2')?.subarray(0, 5).toString()).toBe('%PDF-');
});

test('reveals nothing of the evening or its code in the file or in what is stored of it', async () => {
  const { header, segments } = blobIn(file);
  const blob = Buffer.concat([header, ...segments]);
  const picture = await readFile(join(import.meta.dirname, '../fixtures/picture.jpg'));
  const secrets = [
    evening.token.token,
    normalizeCode(evening.token.token),
    evening.token.id,
    'Lisbona, finalmente',
    'Quattro?',
    ...Object.values(evening.media).map(({ id }) => id),
    picture.subarray(0, 24),
    picture.subarray(600, 624),
  ];
  // Proves that the search finds a hidden secret.
  const planted = Buffer.from(`x${Buffer.from(`a${evening.token.token}`).toString('base64')}`);
  expect(foundIn(planted, secrets)).toEqual([evening.token.token]);
  expect(foundIn(file, secrets)).toEqual([]);
  expect(foundIn(blob, secrets)).toEqual([]);
  expect(server.logged()).not.toContain(normalizeCode(evening.token.token));
});

test('is out of date as soon as a text, a code or the opening time changes', async () => {
  const isCurrentAfter = async (fields: Record<string, unknown>) => {
    await saveConfig(server, evening.admin, fields);
    return isCurrent();
  };
  const isCurrent = async () => (await state()).plan.current;
  expect(await isCurrentAfter({ frasi: ['Dopo', 'E poi'] })).toBe(false);
  expect(await isCurrentAfter({ frasi: ['Dopo'] })).toBe(true);
  expect(await isCurrentAfter({ opens_at: '2031-06-01T19:00:00Z' })).toBe(false);
  expect(await isCurrentAfter({ opens_at: null })).toBe(true);
  const other = await buildCode(server, evening);
  expect(await isCurrent()).toBe(false);
  await revokeCode(server, evening, other);
  expect(await isCurrent()).toBe(true);
});

test('is not sealed without a valid code, and states the reason', async () => {
  await revokeCode(server, evening, evening.token);
  expect(await state()).toMatchObject({ hindrance: 'no_code', plan: { current: false } });
  const answer = ok(await call(server.url, 'POST', '/admin/plan-b', {}, asAdmin()));
  expect(answer.body).toMatchObject({ making: false });
});
