import { randomUUID } from 'node:crypto';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { vi } from 'vitest';
import type { Findings } from '../../src/domain/diagnosis.ts';
import { DAY_MS } from '../../src/domain/limits.ts';
import type { PageFinding } from '../../src/domain/media.ts';
import { proofOf } from '../../src/server/features/address/ask.ts';
import { saveDiagnosis } from '../../src/server/features/diagnosis/diagnosis.ts';
import { insertVideo } from '../../src/server/features/media/library.repo.ts';
import { type StoredMedia, setPages } from '../../src/server/features/media/media.ts';
import { runChecks } from '../../src/server/features/ready/checks.ts';
import { readReadiness } from '../../src/server/features/ready/ready.ts';
import {
  contentVersion,
  recordCompleted,
  rehearsedContent,
  requireSpectator,
} from '../../src/server/features/rehearsal/rehearsal.ts';
import { isRefused } from '../../src/server/refused.ts';
import { ownAuthority, type Pem } from './certificates.ts';
import { sqliteDatabase } from './databases.ts';
import { openTestServer, type TestServer } from './deps.ts';
import { movableClock } from './https.ts';
import { MAIL_PASSWORD, MAIL_USER, mailServer } from './mail-server.ts';
import { storeMedia } from './rows.ts';
import { BOT_TOKEN, CHAT_ID, telegramServer } from './telegram.ts';
import { configure, makeCode } from './visits.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
export const fixture = (name: string): Buffer => readFileSync(join(FIXTURES, name));

/** Diagnosis of a good phone. */
const GOOD_PHONE: Findings = {
  cookies: true,
  mbit: 40,
  film: 'played',
  heard: 'yes',
  song: 'by_itself',
  song_heard: 'yes',
};

type Kind = { content_type: string; extension: string };
export const KINDS = {
  film: { content_type: 'video/mp4', extension: 'mp4' },
  song: { content_type: 'audio/mp4', extension: 'm4a' },
  picture: { content_type: 'image/jpeg', extension: 'jpg' },
  png: { content_type: 'image/png', extension: 'png' },
  pdf: { content_type: 'application/pdf', extension: 'pdf' },
  captions: { content_type: 'text/vtt', extension: 'vtt' },
} as const satisfies Record<string, Kind>;

export const stored = ({ deps }: TestServer, kind: Kind, bytes: Buffer): Promise<StoredMedia> =>
  storeMedia(deps, { nome: 'file', content: Readable.from([bytes]), ...kind });

/** Marks stored tickets as one page with this finding; its picture is the file itself. */
export const drawn = ({ deps }: TestServer, { id, url }: StoredMedia, finding: PageFinding | null) =>
  deps.inTransaction((tx) => setPages(tx, id, JSON.stringify([{ url, small_url: url, finding }])));

/** Returns the date in this many days (YYYY-MM-DD). */
const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
/** Returns the time in this many days. */
const momentIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** Name of the site; it resolves to this machine. */
export const SITE = 'sera.example';

export type ReadyEvening = Awaited<ReturnType<typeof readyEvening>>;

/** A completely prepared evening with a site, a bot and a mail server that reply: it has no problems. */
export async function readyEvening() {
  const trusted = getCACertificates('default');
  const authority = await ownAuthority();
  setDefaultCACertificates([...trusted, authority.ca]);
  const pem = authority.give({ name: SITE });
  const names = [
    vi.spyOn(dns, 'resolve4').mockResolvedValue(['127.0.0.1']),
    vi.spyOn(dns, 'resolve6').mockResolvedValue([]),
  ];
  const server = await openTestServer(sqliteDatabase, movableClock());
  const [telegram, mail, site] = await Promise.all([
    telegramServer(),
    mailServer('tls', authority.give({ name: 'localhost' })),
    siteOf(server, pem),
  ]);
  Object.assign(server.deps.env, { PUBLIC_URL: site.url, TELEGRAM_API_ROOT: telegram.root });
  const files = await storeAll(server);
  const settings = {
    ...files.urls,
    contatto: '@lui',
    data_laurea: dayIn(20),
    opens_at: momentIn(20),
    keepsake_until: dayIn(400),
    data_partenza: dayIn(60),
    data_ritorno: dayIn(65),
    data_partenza_2: dayIn(90),
    data_ritorno_2: dayIn(95),
    telegram_bot_token: BOT_TOKEN,
    telegram_chat_id: CHAT_ID,
    smtp_host: 'localhost',
    smtp_port: mail.port,
    smtp_security: 'tls' as const,
    smtp_user: MAIL_USER,
    smtp_password: MAIL_PASSWORD,
    email_from: MAIL_USER,
    email_to: 'lei@posta.example',
  };
  const set = (change: object = {}, questions: object = {}) =>
    configure(server, { ...settings, ...change }, questions);
  await set();
  const code = await makeCode(server, { giorni: null });
  await rehearse(server);
  await keepPhone(server, GOOD_PHONE);
  return {
    server,
    telegram,
    site,
    authority,
    pem,
    files,
    code,
    set,
    /** Runs all checks and returns the readiness. */
    async ask() {
      const { signal } = new AbortController();
      await runChecks(server.deps, { fresh: false, signal, progress: async () => undefined });
      return readReadiness(server.ctx, null);
    },
    async end() {
      setDefaultCACertificates(trusted);
      await Promise.all([telegram.close(), mail.close(), site.close(), server.close()]);
      await authority.end();
      for (const name of names) name.mockRestore();
    },
  };
}

/** The site as seen from outside; `strangely` makes it reply like a foreign site. */
async function siteOf({ deps }: TestServer, pem: Pem) {
  const site = createServer(pem, ({ url = '' }, response) => {
    const nonce = new URL(url, 'https://localhost').searchParams.get('nonce') ?? '';
    response.end(answers.isForeign ? 'Benvenuti' : JSON.stringify({ proof: proofOf(deps.secret, nonce) }));
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const answers = {
    url: `https://${SITE}:${(site.address() as AddressInfo).port}`,
    isForeign: false,
    show: (shown: Pem) => site.setSecureContext(shown),
    async close() {
      site.closeAllConnections();
      site.close();
    },
  };
  return answers;
}

const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:01.000\nCiao\n';

/** Stores a file of every kind that an evening has. */
async function storeAll(server: TestServer) {
  const keep = (kind: Kind, bytes: Buffer) => stored(server, kind, bytes);
  const video = await keep(KINDS.film, fixture('media/good.mp4'));
  const poster = await keep(KINDS.picture, fixture('picture.jpg'));
  const light = await keep(KINDS.film, fixture('video-3s.mp4'));
  const captions = await keep(KINDS.captions, Buffer.from(CAPTIONS));
  const song = await keep(KINDS.song, fixture('media/song.m4a'));
  const picture_1 = await keep(KINDS.picture, fixture('picture.jpg'));
  const picture_2 = await keep(KINDS.picture, fixture('ticket.jpg'));
  const tickets_1 = await keep(KINDS.pdf, fixture('ticket.pdf'));
  const tickets_2 = await keep(KINDS.png, fixture('ticket.png'));
  await drawn(server, tickets_1, null);
  await server.deps.inTransaction((tx) =>
    insertVideo(tx, {
      id: 'film',
      nome: 'film',
      url: video.url,
      poster_url: poster.url,
      created_at: server.deps.now().toISOString(),
      light_url: light.url,
      light_of: video.url,
      light_state: 'made',
      captions_url: captions.url,
      captions_mode: 'always',
    }),
  );
  return {
    of: { video, poster, light, captions, song, picture_1, picture_2, tickets_1, tickets_2 },
    urls: {
      video_url: video.url,
      canzone_url: song.url,
      immagine_destinazione_url: picture_1.url,
      immagine_destinazione_url_2: picture_2.url,
      biglietti_url: tickets_1.url,
      biglietti_url_2: tickets_2.url,
    },
  };
}

/** Completes a rehearsal of the current evening. */
async function rehearse({ deps }: TestServer): Promise<void> {
  const context = { deps, headers: new Headers(), cookies: { rehearsal: null } };
  const granted = await requireSpectator(context);
  if (isRefused(granted)) throw new Error(granted.refused);
  const ctx = { ...deps, ...granted };
  const content = await rehearsedContent(ctx);
  if (isRefused(content)) throw new Error(content.refused);
  await recordCompleted(ctx, { version: contentVersion(content), phone: true, user_agent: 'iPhone' });
}

/** Stores the diagnosis of a phone; returns its id. */
export async function keepPhone({ deps }: TestServer, findings: Findings): Promise<string> {
  const id = randomUUID();
  const row = { id, nome: 'Il suo', at: deps.now().toISOString(), user_agent: 'iPhone' };
  await deps.inTransaction((tx) => saveDiagnosis(tx, { ...row, findings: JSON.stringify(findings) }));
  return id;
}
