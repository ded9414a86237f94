import { type PictureFormat, RENDITION_NAMES, type RenditionName } from '../../../domain/renditions.ts';
import type { Deps } from '../../deps.ts';
import { acceptedTypes } from '../../http/accept.ts';
import type { VisitPlan } from '../visit/snapshot.ts';
import { companionId } from './companion.ts';
import { findMedias, type Media } from './media.repo.ts';

/** The sizes and formats that a picture is there in, beside itself. */
export type Renditions = ReadonlyMap<RenditionName, Media>;

/** By evening, those of the pictures it has been asked for. */
const known = new WeakMap<VisitPlan, Map<string, Renditions>>();

/**
 * Those of a picture. For an evening under way they are looked up once: they come with the picture, and stay as long as it does.
 * @param evening null for who watches no evening
 */
export async function renditionsFor(
  { db }: Pick<Deps, 'db'>,
  evening: VisitPlan | null,
  id: string,
): Promise<Renditions> {
  if (evening === null) return renditionsOf(db, id);
  const pictures = known.get(evening) ?? new Map<string, Renditions>();
  known.set(evening, pictures);
  const found = pictures.get(id) ?? (await renditionsOf(db, id));
  pictures.set(id, found);
  return found;
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

/** The width in pixels that an address asks for; null where it asks for none, or for nothing that is a width. */
export const requestedWidth = (w: string | undefined): number | null =>
  w !== undefined && WIDTH.test(w) ? Number(w) : null;

/** JPEG and PNG every browser reads; the others only who names them: an old one that sends `image/*` knows neither. */
export function supportedFormats(accept: string | undefined): (format: PictureFormat) => boolean {
  const named = acceptedTypes(accept);
  return (format) => format === 'jpg' || format === 'png' || named.has(`image/${format}`);
}
