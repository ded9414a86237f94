import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Configuration, Questions } from '../src/domain/content.ts';
import type { Deps } from '../src/server/deps.ts';
import { insertVideo } from '../src/server/features/media/media.repo.ts';
import { storeMedia } from '../src/server/features/media/media.service.ts';
import { type AdminClient, signedUpAdmin } from './admin-client.ts';

/** A surprise to be prepared: texts, and files by their paths. */
export type Surprise = {
  config: Partial<Configuration> & { contatto?: string };
  questions: Partial<Questions>;
  files: Partial<Record<'video' | 'poster' | 'song' | 'image' | 'image_2' | 'tickets' | 'tickets_2', string>>;
};

export type Prepared = { admin: AdminClient; email: string; password: string };

/** Registers the administrator and prepares the surprise as she would, over HTTP; only the files go in by the back door. */
export async function prepareSurprise(
  server: { url: string; deps: Deps },
  surprise: Surprise,
  account: { email: string; password: string },
): Promise<Prepared> {
  const admin = await signedUpAdmin(server.url, account);
  const urls = await storeFiles(server.deps, surprise.files);
  const { versione } = await admin.call<{ versione: number }>('GET', '/admin/config');
  await admin.call('PATCH', '/admin/config', { versione, fields: { ...surprise.config, ...urls } });
  await admin.call('PATCH', '/admin/questions', surprise.questions);
  return { admin, ...account };
}

async function storeFiles(deps: Deps, files: Surprise['files']): Promise<Partial<Configuration>> {
  const stored = async (path: string | undefined) =>
    path === undefined ? null : (await storeFile(deps, path)).url;
  const video_url = await stored(files.video);
  if (video_url !== null) await recordVideo(deps, files.video ?? '', video_url, await stored(files.poster));
  return {
    video_url,
    canzone_url: await stored(files.song),
    immagine_destinazione_url: await stored(files.image),
    immagine_destinazione_url_2: await stored(files.image_2),
    biglietti_url: await stored(files.tickets),
    biglietti_url_2: await stored(files.tickets_2),
  };
}

const contentTypes: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.mp3': 'audio/mpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.pdf': 'application/pdf',
};

function storeFile(deps: Deps, path: string) {
  const content_type = contentTypes[extname(path)];
  if (content_type === undefined) throw new Error(`${basename(path)} is no kind of file the demo knows`);
  return storeMedia(deps, {
    nome: basename(path),
    content: createReadStream(path),
    content_type,
    extension: extname(path).slice(1),
  });
}

function recordVideo(deps: Deps, path: string, url: string, poster_url: string | null): Promise<void> {
  const created_at = deps.now().toISOString();
  return deps.inTransaction((tx) =>
    insertVideo(tx, { id: crypto.randomUUID(), nome: basename(path), url, poster_url, created_at }),
  );
}
