import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Configuration, Questions } from '../src/domain/configuration.ts';
import { mediaIdOf } from '../src/domain/media.ts';
import type { Db } from '../src/server/db/tables.ts';
import type { Deps } from '../src/server/deps.ts';
import { pictureHues } from '../src/server/features/hues/hues.ts';
import { insertImage, insertTickets, insertVideo } from '../src/server/features/media/library.repo.ts';
import { findFile, insertMedia, putMedia } from '../src/server/features/media/media.ts';
import { makeMissing } from '../src/server/features/media/missing.ts';
import { ticketPages } from '../src/server/features/tickets/ticket-pages.ts';
import { pdfOf } from '../src/server/features/tickets/tickets.ts';
import { type Account, type AdminClient, signedUpAdmin } from './admin-client.ts';

/** Content of a surprise: texts, and files by their paths. */
export type Surprise = {
  config: Partial<Configuration> & { contatto?: string };
  questions: Partial<Questions>;
  files: Partial<Record<'video' | 'poster' | 'song' | 'image' | 'image_2' | 'tickets' | 'tickets_2', string>>;
};

export type Prepared = Account & { admin: AdminClient };

/** Registers the administrator and prepares the surprise over HTTP; only the files are stored directly. */
export async function prepareSurprise(
  server: { url: string; deps: Deps },
  surprise: Surprise,
  account: Account,
): Promise<Prepared> {
  const admin = await signedUpAdmin(server, account);
  await fillIn(server, admin, surprise);
  return { admin, ...account };
}

/** Prepares the surprise with a registered administrator. */
export async function fillIn(server: { deps: Deps }, admin: AdminClient, surprise: Surprise): Promise<void> {
  const urls = await storeFiles(server.deps, surprise.files);
  // An upload does not wait for these; a demo may be visited at once.
  const { signal } = new AbortController();
  await makeMissing(server.deps, pictureHues, signal);
  await makeMissing(server.deps, ticketPages, signal);
  const { versione } = await admin.call<{ versione: number }>('GET', '/admin/config');
  await admin.call('PATCH', '/admin/config', { versione, fields: { ...surprise.config, ...urls } });
  await admin.call('PATCH', '/admin/questions', { versione: 0, fields: surprise.questions });
}

/** Stores the files, adds them to the administrator's lists, and returns the fields that refer to them. */
async function storeFiles(deps: Deps, files: Surprise['files']): Promise<Partial<Configuration>> {
  const poster_url = await storeFile(deps, files.poster);
  return {
    video_url: await storeFile(deps, files.video, (tx, row) => insertVideo(tx, { ...row, poster_url })),
    canzone_url: await storeFile(deps, files.song),
    immagine_destinazione_url: await storeFile(deps, files.image, (tx, row) =>
      insertImage(tx, { ...row, tipo: null }),
    ),
    immagine_destinazione_url_2: await storeFile(deps, files.image_2, (tx, row) =>
      insertImage(tx, { ...row, tipo: 'secondo_viaggio' }),
    ),
    biglietti_url: await storeTickets(deps, files.tickets, ticketsKind),
    biglietti_url_2: await storeTickets(deps, files.tickets_2, () => 'secondo_viaggio'),
  };
}

/** Stores tickets, with the PDF that an uploaded picture of tickets is converted to. */
async function storeTickets(
  deps: Deps,
  path: string | undefined,
  tipo: (nome: string) => string,
): Promise<string | null> {
  const url = await storeFile(deps, path, (tx, row) => insertTickets(tx, { ...row, tipo: tipo(row.nome) }));
  const tickets = await findFile(deps, mediaIdOf(url) ?? '');
  if (tickets !== null) await pdfOf(deps, tickets);
  return url;
}

const ticketsKind = (nome: string) => (extname(nome) === '.pdf' ? 'pdf' : 'image');

const contentTypes: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.mp3': 'audio/mpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.pdf': 'application/pdf',
};

type Row = { id: string; nome: string; url: string; created_at: string };

async function storeFile(
  deps: Deps,
  path: string | undefined,
  list: (tx: Db, row: Row) => Promise<void> = async () => undefined,
): Promise<string | null> {
  if (path === undefined) return null;
  const nome = basename(path);
  const content_type = contentTypes[extname(path)];
  if (content_type === undefined) throw new Error(`${nome} is no kind of file the demo knows`);
  const file = { nome, content: createReadStream(path), content_type, extension: extname(path).slice(1) };
  const { row, stored } = await putMedia(deps, file, randomBytes(16).toString('hex'));
  const { url } = stored;
  await deps.inTransaction(async (tx) => {
    await insertMedia(tx, row);
    await list(tx, { id: crypto.randomUUID(), nome, url, created_at: row.created_at });
  });
  return url;
}
