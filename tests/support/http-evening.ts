import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type StoredMedia, setPages } from '../../src/server/features/media/media.ts';
import { type Answered, call } from './http.ts';
import { storeMedia } from './rows.ts';
import type { TestServer } from './server.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  jpg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
};

type Product = Pick<TestServer, 'url' | 'deps'>;

/** Registers the first administrator; returns the session cookie. */
export async function signUp({
  url,
  deps,
}: Pick<Product, 'url'> & { deps?: Pick<Product['deps'], 'auth'> }): Promise<string> {
  const setup_code = deps?.auth.setupCode(null);
  const answer = await call(url, 'POST', '/auth/sign-up/email', {
    email: 'anna@example.org',
    password: 'una frase molto lunga 7',
    ...(setup_code && { setup_code }),
  });
  if (answer.status !== 200) throw new Error(`No administrator: ${answer.text}`);
  return answer.cookie;
}

/** Stores a fixture, or other bytes under its name. */
export function store({ deps }: Product, nome: string, content?: Readable): Promise<StoredMedia> {
  const extension = nome.split('.').at(-1) ?? '';
  const content_type = TYPES[extension] ?? 'application/octet-stream';
  return storeMedia(deps, {
    nome,
    extension,
    content_type,
    content: content ?? createReadStream(join(FIXTURES, nome)),
  });
}

export type Evening = {
  admin: string;
  token: { id: string; token: string };
  media: Record<'video' | 'song' | 'picture' | 'tickets' | 'tickets_2', StoredMedia>;
};

/**
 * Prepares a complete evening of two trips: pre-phrases, video, phrases, picture, card, questions, and the same again.
 */
export async function prepareEvening(
  server: Product,
  change: Record<string, unknown> = {},
): Promise<Evening> {
  const admin = await signUp(server);
  const media = {
    video: await store(server, 'video-3s.mp4'),
    song: await store(server, 'song.mp3'),
    picture: await store(server, 'picture.jpg'),
    tickets: await store(server, 'ticket.pdf'),
    tickets_2: await store(server, 'ticket.png'),
  };
  // Without ticket pages, so that no evening starts while they are rendered.
  await server.deps.inTransaction((tx) => setPages(tx, media.tickets.id, '[]'));
  await saveConfig(server, admin, {
    video_url: media.video.url,
    canzone_url: media.song.url,
    frasi_pre_video: ['Prima'],
    frasi: ['Dopo'],
    immagine_destinazione_url: media.picture.url,
    biglietti_url: media.tickets.url,
    frasi_secondo_viaggio: ['Ancora'],
    biglietti_url_2: media.tickets_2.url,
    contatto: '@anna',
    ...change,
  });
  const fields = {
    domanda_1: 'Uno?',
    domanda_2: 'Due?',
    domanda_1_viaggio_2: 'Tre?',
    domanda_2_viaggio_2: 'Quattro?',
  };
  ok(await call(server.url, 'PATCH', '/admin/questions', { versione: 0, fields }, { cookie: admin }));
  const token = await buildCode(server, { admin }, { nome: 'Lei', max_accessi: 1_000 });
  return { admin, token, media };
}

/** Saves fields of the configuration. */
export async function saveConfig(
  { url }: Pick<Product, 'url'>,
  cookie: string,
  fields: Record<string, unknown>,
): Promise<void> {
  const { versione } = ok(await call(url, 'GET', '/admin/config', undefined, { cookie })).body;
  ok(await call(url, 'PATCH', '/admin/config', { versione, fields }, { cookie }));
}

/** Creates another code for the evening. */
export async function buildCode(
  { url }: Pick<Product, 'url'>,
  { admin }: Pick<Evening, 'admin'>,
  changes: Record<string, unknown> = {},
): Promise<Evening['token']> {
  const body = { nome: `Lei ${randomUUID()}`, ...changes };
  return ok(await call(url, 'POST', '/admin/tokens', body, { cookie: admin })).body;
}

/** Disables a code, which disconnects its visits. */
export async function revokeCode(
  { url }: Pick<Product, 'url'>,
  { admin }: Pick<Evening, 'admin'>,
  { id }: Evening['token'],
): Promise<void> {
  ok(await call(url, 'PATCH', `/admin/tokens/${id}`, { attivo: false }, { cookie: admin }));
}

/** Enters with the code; returns the visitor's cookie. */
export async function enter(
  { url }: Pick<Product, 'url'>,
  { token }: Pick<Evening, 'token'>,
): Promise<string> {
  const body = { token: token.token, attempt_id: randomUUID(), device_id: `device-${randomUUID()}` };
  return ok(await call(url, 'POST', '/access', body)).cookie;
}

/** Walks to a stage of a trip, answering yes to every question; returns the visit there. */
export async function walkTo(
  { url }: Pick<Product, 'url'>,
  cookie: string,
  stage: string,
  viaggio = 1,
  // oxlint-disable-next-line typescript/no-explicit-any -- the visit of the contract
): Promise<any> {
  let visit = ok(await call(url, 'POST', '/visit/resume', {}, { cookie })).body;
  for (;;) {
    const now = visit.stages[visit.position.step];
    if (now.stage === stage && now.viaggio === viaggio) return visit;
    if (now.stage === 'questions') {
      const answers = { viaggio: now.viaggio, risposta_1: true, risposta_2: true };
      ok(await call(url, 'POST', '/visit/answers', answers, { cookie }));
    }
    const next = { step: visit.position.step + 1, phrase: 0, second: 0 };
    visit = ok(await call(url, 'POST', '/visit/position', next, { cookie })).body;
  }
}

/** Returns the reply; throws if it is an error. */
export function ok(answer: Answered): Answered {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}
