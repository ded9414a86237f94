import { randomUUID } from 'node:crypto';
import { captionsFor, storedCaptions } from '../../../domain/captions.ts';
import type { Answers } from '../../../domain/closing.ts';
import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import type { Fuoco } from '../../../domain/focus.ts';
import { bitrateOf } from '../../../domain/light.ts';
import { mediaIdOf } from '../../../domain/media-address.ts';
import type { StoredAnswers } from '../../../domain/stage-content.ts';
import type { Db } from '../../db/tables.ts';

/** What is shown with a film. */
export type Beside = Pick<Snapshot, 'poster_url' | 'light_url' | 'video_bitrate' | 'captions'>;
export const NOTHING_BESIDE: Beside = {
  poster_url: null,
  light_url: null,
  video_bitrate: null,
  captions: null,
};

/**
 * What is shown with this video: the picture before it starts, its light version where that is wanted and of this very file, its captions; and
 * how heavy it is.
 */
export async function findBeside(db: Db, video_url: string): Promise<Beside> {
  const row = await db
    .selectFrom('videos')
    .leftJoin('media', (join) => join.on('media.id', '=', mediaIdOf(video_url)))
    .select(['poster_url', 'light_url', 'light_of', 'light_on', 'videos.seconds', 'size'])
    .select(['captions_url', 'captions_mode'])
    .where('url', '=', video_url)
    .orderBy('videos.created_at', 'desc')
    .executeTakeFirst();
  if (row === undefined) return NOTHING_BESIDE;
  const { poster_url, light_url, light_of, light_on, seconds, size: bytes } = row;
  const isOfThis = light_of === video_url;
  return {
    poster_url,
    light_url: isOfThis && light_on ? light_url : null,
    video_bitrate: isOfThis && seconds !== null && bytes !== null ? bitrateOf({ bytes, seconds }) : null,
    captions: captionsFor(storedCaptions(row)),
  };
}

/** By address, the points of these pictures that must stay visible; those without one are missing. */
export async function findFocus(db: Db, urls: readonly (string | null)[]): Promise<Map<string, Fuoco>> {
  const named = urls.filter((url) => url !== null);
  if (named.length === 0) return new Map();
  const rows = await db
    .selectFrom('immagini_destinazione')
    .select(['url', 'fuoco_x', 'fuoco_y'])
    .where('url', 'in', named)
    .execute();
  return new Map(
    rows.flatMap(({ url, fuoco_x: x, fuoco_y: y }) =>
      x === null || y === null ? [] : [[url, { x, y }] as const],
    ),
  );
}

export async function readAnswers(db: Db, session_id: string): Promise<StoredAnswers> {
  const rows = await db
    .selectFrom('checkbox_responses')
    .select(['viaggio', 'risposta_1', 'risposta_2'])
    .where('session_id', '=', session_id)
    .orderBy('viaggio')
    .execute();
  return new Map(rows.map(({ viaggio, ...answers }) => [viaggio === 2 ? 2 : 1, answers]));
}

/** Stores a trip's answers. False when there were some already: the first ones stay. */
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
