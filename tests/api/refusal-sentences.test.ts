import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorBody, ErrorCode } from '../../src/contract/errors.ts';
import { UPLOADS } from '../../src/domain/limits.ts';
import { type Answered, call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { announce, cancel, finish, idOf, send } from '../support/uploads.ts';

/** Refusals that no page meets by itself, made to happen on the real server: what a person would read of each, word for word. */

let server: TestServer;
let to: { url: string; cookie: string };
beforeAll(async () => {
  server = await startServer({ env: { MAX_VIDEO_MB: '10000000' } });
  to = { url: server.url, cookie: await signUp(server) };
});
afterAll(() => server.stop());

const asAdmin = (method: string, path: string, body: unknown) => call(to.url, method, path, body, to);
const film = { slot: 'video', filename: 'film.mp4' };

function expectRefusal({ status, body }: Pick<Answered, 'status' | 'body'>, expected: Refusal): void {
  expect({ status, ...body }).toEqual(expected);
}
type Refusal = ErrorBody & { status: number };
const refusal = (status: number, codice: ErrorCode, messaggio: string): Refusal => ({
  status,
  codice,
  messaggio,
});

test('a save of what somebody else has changed meanwhile', async () => {
  const expected = refusal(
    409,
    'STALE_VERSION',
    "La configurazione è stata modificata in un'altra finestra. Ricarica la pagina prima di salvare.",
  );
  const { versione } = (await call(to.url, 'GET', '/admin/config', undefined, to)).body;
  const save = () => asAdmin('PATCH', '/admin/config', { versione, fields: { titolo_viaggio: 'Lisbona' } });
  expect((await save()).status).toBe(200);
  expectRefusal(await save(), expected);
  const ask = () => asAdmin('PATCH', '/admin/questions', { versione: 0, fields: { domanda_1: 'Vieni?' } });
  expect((await ask()).status).toBe(200);
  expectRefusal(await ask(), expected);
});

test('a message of proof without a bot', async () => {
  expectRefusal(
    await asAdmin('POST', '/admin/notifications/test', {}),
    refusal(409, 'NOT_CONFIGURED', 'Prima completa e salva le impostazioni.'),
  );
});

test('an upload without a file’s name', async () => {
  expectRefusal(
    await announce(to, 100, { slot: 'video' }),
    refusal(400, 'FILE_REQUIRED', 'Seleziona un file'),
  );
});

test('an upload that is finished before its last byte', async () => {
  const id = idOf(await announce(to, 100, film));
  await send(to, id, 0, Buffer.alloc(99));
  expectRefusal(
    await finish(to, id),
    refusal(409, 'UPLOAD_UNFINISHED', 'Il caricamento non è ancora completo.'),
  );
  await cancel(to, id);
});

test('one upload too many', async () => {
  const ids: string[] = [];
  for (let begun = 0; begun < UPLOADS.unfinished; begun += 1) ids.push(idOf(await announce(to, 100, film)));
  expectRefusal(
    await announce(to, 100, film),
    refusal(409, 'UPLOADS_BUSY', 'Ci sono già troppi caricamenti in corso: attendi che finiscano e riprova.'),
  );
  for (const id of ids) await cancel(to, id);
});

test('a film the disk has no room for', async () => {
  expectRefusal(
    await announce(to, 10 ** 13, film),
    refusal(507, 'STORAGE_FULL', 'Spazio esaurito sul server: libera spazio e riprova.'),
  );
});

test('a body that is no JSON', async () => {
  const sent = await call(to.url, 'PATCH', '/admin/config', 'versione=0', {
    ...to,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expectRefusal(sent, refusal(415, 'UNSUPPORTED_TYPE', 'Formato dei dati non supportato.'));
});

test('the name of another site', async () => {
  const published = await startServer({ env: { PUBLIC_URL: 'https://sorpresa.example' } });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { host: 'altrove.example' };
    request(`${published.url}/`, { headers }, resolve).on('error', reject).end();
  });
  expectRefusal(
    { status: answer.statusCode ?? 0, body: JSON.parse((await answer.toArray()).join('')) },
    refusal(421, 'WRONG_HOST', 'Indirizzo del sito non riconosciuto.'),
  );
  await published.stop();
});

test('an entry that takes up another code’s attempt', async () => {
  const attempt = { attempt_id: crypto.randomUUID(), device_id: 'device-1-a' };
  const codes: { token: string }[] = [];
  for (const nome of ['Giulia', 'Marta']) codes.push((await asAdmin('POST', '/admin/tokens', { nome })).body);
  const [first, second] = codes;
  const { versione } = (await call(to.url, 'GET', '/admin/config', undefined, to)).body;
  const ready = { video_url: `/api/media/${'0'.repeat(32)}.mp4` };
  expect((await asAdmin('PATCH', '/admin/config', { versione, fields: ready })).status).toBe(200);
  expect((await call(to.url, 'POST', '/access', { ...attempt, token: first?.token })).status).toBe(200);
  expectRefusal(
    await call(to.url, 'POST', '/access', { ...attempt, token: second?.token }),
    refusal(409, 'ATTEMPT_CONFLICT', 'Si è verificato un errore'),
  );
});
