import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ticketPageSchema } from '../../../contract/admin/media.ts';
import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import { bitrateOf, captionsFor, mediaIdOf, storedCaptions, type TicketPage } from '../../../domain/media.ts';
import type { Answers, StoredAnswers } from '../../../domain/stage-content.ts';
import { statement } from '../../db/statement.ts';
import type { Db } from '../../db/tables.ts';
import { type PictureFacts, pictureFacts } from './picture-facts.ts';

/** Fields that are shown with a film. */
export type FilmExtras = Pick<Snapshot, 'poster_url' | 'light_url' | 'video_bitrate' | 'captions'>;
export const NO_FILM_EXTRAS: FilmExtras = {
  poster_url: null,
  light_url: null,
  video_bitrate: null,
  captions: null,
};

/** Returns the fields shown with this video: poster, bitrate, captions, and the light version if it is enabled and made from this file. */
export async function findFilmExtras(db: Db, video_url: string): Promise<FilmExtras> {
  const [row] = await latestOf(db, { url: video_url, media_id: mediaIdOf(video_url) });
  if (row === undefined) return NO_FILM_EXTRAS;
  const { poster_url, light_url, light_of, light_on, seconds, size: bytes } = row;
  const isOfThisFile = light_of === video_url;
  return {
    poster_url,
    light_url: isOfThisFile && light_on ? light_url : null,
    video_bitrate: isOfThisFile && seconds !== null && bytes !== null ? bitrateOf({ bytes, seconds }) : null,
    captions: captionsFor(storedCaptions(row)),
  };
}

const latestOf = statement<{ url: string; media_id: string | null }>()((db, value) =>
  db
    .selectFrom('videos')
    .leftJoin('media', (join) => join.on('media.id', '=', value.media_id))
    .select(['poster_url', 'light_url', 'light_of', 'light_on', 'videos.seconds', 'size'])
    .select(['captions_url', 'captions_mode'])
    .where('url', '=', value.url)
    .orderBy('videos.created_at', 'desc')
    .limit(1),
);

type Pictures = { first: string | null; second: string | null };

/** Returns the facts about the pictures of both trips, by address. */
export async function findPictures(db: Db, urls: Pictures): Promise<Map<string | null, PictureFacts>> {
  const rows = await bothPictures(db, urls);
  return new Map(rows.map(({ url, ...row }) => [url, pictureFacts(row)]));
}

const bothPictures = statement<Pictures>()((db, value) =>
  db
    .selectFrom('immagini_destinazione')
    .select(['url', 'fuoco_x', 'fuoco_y', 'hues'])
    .where((eb) => eb.or([eb('url', '=', value.first), eb('url', '=', value.second)])),
);

export type TicketPages = Pick<Snapshot, 'ticket_pages' | 'ticket_pages_2'>;

/** Returns the pages of both trips' tickets as pictures. A ticket that is a picture is its own page. */
export async function findTicketPages(
  db: Db,
  config: Pick<Snapshot['config'], 'biglietti_url' | 'biglietti_url_2'>,
): Promise<TicketPages> {
  const [first, second] = [mediaIdOf(config.biglietti_url), mediaIdOf(config.biglietti_url_2)];
  const rows = first === null && second === null ? [] : await bothTickets(db, { first, second });
  const pagesOf = (id: string | null, url: string | null): string[] | null => {
    const row = rows.find((each) => each.id === id);
    if (row === undefined || url === null) return null;
    return row.content_type.startsWith('image/')
      ? [url]
      : (ticketPagesIn(row.pages)?.map((page) => page.url) ?? null);
  };
  return {
    ticket_pages: pagesOf(first, config.biglietti_url),
    ticket_pages_2: pagesOf(second, config.biglietti_url_2),
  };
}

const bothTickets = statement<{ first: string | null; second: string | null }>()((db, value) =>
  db
    .selectFrom('media')
    .select(['id', 'content_type', 'pages'])
    .where((eb) => eb.or([eb('id', '=', value.first), eb('id', '=', value.second)])),
);

/** Parses the drawn pages of a stored row; null if they aren't drawn yet. */
export function ticketPagesIn(stored: string | null): TicketPage[] | null {
  return stored === null ? null : z.array(ticketPageSchema).parse(JSON.parse(stored));
}

const answersOf = statement<{ session_id: string }>()((db, value) =>
  db
    .selectFrom('checkbox_responses')
    .select(['viaggio', 'risposta_1', 'risposta_2'])
    .where('session_id', '=', value.session_id)
    .orderBy('viaggio'),
);

export async function readAnswers(db: Db, session_id: string): Promise<StoredAnswers> {
  const rows = await answersOf(db, { session_id });
  return new Map(rows.map(({ viaggio, ...answers }) => [viaggio, answers]));
}

/** Stores a trip's answers. Returns false if there were some: the first ones stay. */
export async function insertAnswers(
  tx: Db,
  row: { session_id: string; token_value: string; viaggio: Viaggio } & Answers,
  now: Date,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('checkbox_responses')
    .values({ id: randomUUID(), ...row, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.columns(['session_id', 'viaggio']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}
