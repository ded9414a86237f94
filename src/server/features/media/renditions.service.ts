import { type PictureFormat, RENDITION_NAMES, type RenditionName } from '../../../domain/pictures.ts';
import type { Deps } from '../../deps.ts';
import { acceptedTypes } from '../../http/headers.ts';
import type { VisitPlan } from '../visit/snapshot.ts';
import { companionId } from './companion.ts';
import { findMedias, type Media } from './media.repo.ts';

/** Existing sizes and formats of a picture, without the original. */
export type Renditions = ReadonlyMap<RenditionName, Media>;

/** Renditions of the requested pictures per evening. */
const renditionsByEvening = new WeakMap<VisitPlan, Map<string, Renditions>>();

/**
 * Returns the renditions of a picture. Reads them once per evening in progress, because they are stored and deleted
 * with the picture.
 * @param evening null for a reader without an evening
 */
export async function renditionsFor(
  { db }: Pick<Deps, 'db'>,
  evening: VisitPlan | null,
  id: string,
): Promise<Renditions> {
  if (evening === null) return renditionsOf(db, id);
  const pictures = renditionsByEvening.get(evening) ?? new Map<string, Renditions>();
  renditionsByEvening.set(evening, pictures);
  const result = pictures.get(id) ?? (await renditionsOf(db, id));
  pictures.set(id, result);
  return result;
}

async function renditionsOf(db: Deps['db'], id: string): Promise<Renditions> {
  const names = new Map(RENDITION_NAMES.map((name) => [companionId(id, name), name]));
  const rows = await findMedias(db, [...names.keys()]);
  return new Map(
    rows.flatMap((row) => {
      const name = names.get(row.id);
      return name === undefined ? [] : [[name, row] as const];
    }),
  );
}

const WIDTH = /^[1-9]\d{0,4}$/;

/** Parses the requested width in pixels; null if it is missing or invalid. */
export const requestedWidth = (w: string | undefined): number | null =>
  w !== undefined && WIDTH.test(w) ? Number(w) : null;

/**
 * Returns a test of picture formats. Every browser reads JPEG and PNG. Others must be named in `accept`, because an old
 * browser that sends `image/*` supports neither.
 */
export function supportedFormats(accept: string | undefined): (format: PictureFormat) => boolean {
  const named = acceptedTypes(accept);
  return (format) => format === 'jpg' || format === 'png' || named.has(`image/${format}`);
}
