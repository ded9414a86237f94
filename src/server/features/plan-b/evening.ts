import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { PLAN_B_BYTES, PLAN_B_PICTURE, type PlanBBlocker } from '../../../contract/admin/rehearsal.ts';
import type { Configuration } from '../../../domain/configuration.ts';
import { type Snapshot, TRIPS, tripOf, type Viaggio } from '../../../domain/content.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import { bestRendition } from '../../../domain/pictures.ts';
import type { CodeLock } from '../../../sealed/code-locks.ts';
import { type SealedFile, ticketsName } from '../../../sealed/content.ts';
import { MAX_SLOTS } from '../../../sealed/layout.ts';
import type { Deps } from '../../deps.ts';
import { findConfig } from '../config/config.ts';
import { findFile, type Media, mediaKey } from '../media/media.ts';
import { renditionsFor } from '../media/serve.ts';
import { pdfOf } from '../tickets/picture-pdf.service.ts';
import { createSnapshot } from '../visit/snapshot.ts';
import { validCodeLocks } from './plan-b.repo.ts';

type FilesDeps = Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now'>;

/** Content of a sealed evening that would be built now. */
export type PlanBContent = {
  snapshot: Snapshot;
  opens_at: string | null;
  locks: CodeLock[];
  /** SHA-256 of the other fields, hex. It changes with any of them. */
  of: string;
};

/** Returns the content as it is prepared now, or the reason why it can't be sealed. Writes nothing. */
export async function currentContent({
  db,
  now,
}: Pick<Deps, 'db' | 'now'>): Promise<PlanBContent | PlanBBlocker> {
  const row = await findConfig(db);
  if (row === undefined) return 'no_content';
  if (row.video_url === null) return 'no_film';
  const locks = await validCodeLocks(db, now());
  if (locks.length === 0) return 'no_code';
  if (locks.length > MAX_SLOTS) return 'many_codes';
  const snapshot = withOneFilm(await createSnapshot(db, row));
  const fields = { snapshot, opens_at: row.opens_at, locks };
  const of = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
  if ((await minimumBytes({ db }, snapshot)) > PLAN_B_BYTES) return 'too_large';
  return { ...fields, of };
}

/** Uses the light film if there is one: offline, no connection speed decides. */
function withOneFilm(snapshot: Snapshot): Snapshot {
  const { light_url, config } = snapshot;
  return { ...snapshot, config: { ...config, video_url: light_url ?? config.video_url }, light_url: null };
}

/** Returns the minimum size in bytes: film and song, which are nearly all of it. */
async function minimumBytes(deps: Pick<Deps, 'db'>, { config }: Snapshot): Promise<number> {
  const ids = audibleUrls(config)
    .map(mediaIdOf)
    .filter((id) => id !== null);
  const files = await Promise.all(ids.map((id) => findFile(deps, id)));
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

const audibleUrls = ({ video_url, canzone_url }: Configuration) => [video_url, canzone_url];

/** A file and the name by which the evening requests it. */
type ContentFile = { name: string; media: Media };

/** Returns each file of the evening once: pictures as large as a phone needs, tickets as a PDF and as drawn pages. */
export async function contentFiles(deps: FilesDeps, snapshot: Snapshot): Promise<ContentFile[]> {
  const { config, poster_url, captions, ticket_pages, ticket_pages_2 } = snapshot;
  const pages = [...(ticket_pages ?? []), ...(ticket_pages_2 ?? [])];
  const trips = TRIPS.map((viaggio) => tripOf(snapshot, viaggio));
  const parts = await Promise.all([
    ...[...audibleUrls(config), captions?.url ?? null, ...pages].map((url) => storedFile(deps, url)),
    ...[poster_url, ...trips.map((trip) => trip.immagine_destinazione_url)].map((url) => picture(deps, url)),
    ...trips.map(({ viaggio, biglietti_url }) => tickets(deps, viaggio, biglietti_url)),
  ]);
  return [...new Map(parts.flat().map((part) => [part.name, part])).values()];
}

async function storedFile(deps: Pick<Deps, 'db'>, url: string | null): Promise<ContentFile[]> {
  const id = mediaIdOf(url);
  const media = id === null ? null : await findFile(deps, id);
  return url === null || media === null ? [] : [{ name: url, media }];
}

async function picture(deps: Pick<Deps, 'db'>, url: string | null): Promise<ContentFile[]> {
  const [part] = await storedFile(deps, url);
  if (part === undefined) return [];
  const renditions = await renditionsFor(deps, null, part.media.id);
  // Not every phone that may open it can read AVIF.
  const best = bestRendition(renditions.keys(), PLAN_B_PICTURE, (format) => format !== 'avif');
  return [{ ...part, media: (best && renditions.get(best)) ?? part.media }];
}

async function tickets(deps: FilesDeps, viaggio: Viaggio, url: string | null): Promise<ContentFile[]> {
  const [part] = await storedFile(deps, url);
  return part === undefined ? [] : [{ name: ticketsName(viaggio), media: await pdfOf(deps, part.media) }];
}

/** Returns the manifest entries of the files. */
export const manifestFiles = (parts: readonly ContentFile[]): SealedFile[] =>
  parts.map(({ name, media }) => ({ name, type: media.content_type, size: media.size }));

/**
 * Yields all bytes in order, beginning with `start`, the manifest.
 * @param beforeEach awaited before each chunk of a file; its error ends the stream
 */
export async function* contentBytes(
  { storage }: Pick<Deps, 'storage'>,
  start: Uint8Array,
  parts: readonly ContentFile[],
  beforeEach: () => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield start;
  for (const { media } of parts) {
    const stream: Readable = await storage.read(mediaKey(media));
    for await (const piece of stream) {
      await beforeEach();
      yield piece;
    }
  }
}
