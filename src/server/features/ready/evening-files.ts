import { mediaIdOf } from '../../../domain/media-address.ts';
import type { FileRole } from '../../../domain/readiness-probes.ts';
import { RENDITION_NAMES } from '../../../domain/renditions.ts';
import type { Db } from '../../db/tables.ts';
import { findConfig } from '../config/config.repo.ts';
import { type CompanionKind, companionId, PAGE_KINDS } from '../media/companion.ts';
import { findMedias, type Media } from '../media/media.repo.ts';
import { createSnapshot } from '../visit/snapshot.ts';

/** A file that a visit would receive; `media` is null if its row no longer exists. */
export type EveningFile = { id: string; role: FileRole; media: Media | null };

/** Returns all files that a visit beginning now would show, with the companion files that may be sent instead. */
export async function eveningFiles(db: Db): Promise<EveningFile[]> {
  const row = await findConfig(db);
  if (row === undefined) return [];
  const { config, poster_url, light_url, captions } = await createSnapshot(db, row);
  const shown: [FileRole, string | null][] = [
    ['video', config.video_url],
    ['poster', poster_url],
    ['light', light_url],
    ['captions', captions?.url ?? null],
    ['song', config.canzone_url],
    ['picture_1', config.immagine_destinazione_url],
    ['picture_2', config.immagine_destinazione_url_2],
    ['tickets_1', config.biglietti_url],
    ['tickets_2', config.biglietti_url_2],
  ];
  const named = shown.flatMap(([role, url]) => {
    const id = url === null ? null : mediaIdOf(url);
    return id === null ? [] : [{ role, id }];
  });
  const companions = named.flatMap(({ role, id }) => companionsOf(role, id));
  const rows = await findMedias(
    db,
    [...named, ...companions].map(({ id }) => id),
  );
  const media = new Map(rows.map((each) => [each.id, each]));
  const found = ({ role, id }: { role: FileRole; id: string }) => ({
    id,
    role,
    media: media.get(id) ?? null,
  });
  // Companion files are optional.
  return [...named.map(found), ...companions.map(found).filter((file) => file.media !== null)];
}

/** Returns the possible companion files: sizes and formats of a picture, drawn pages of tickets, the PDF of a picture of tickets. */
function companionsOf(role: FileRole, id: string): { role: FileRole; id: string }[] {
  return companionKinds(role).map((kind) => ({ role, id: companionId(id, kind) }));
}

function companionKinds(role: FileRole): readonly CompanionKind[] {
  if (role.startsWith('picture')) return RENDITION_NAMES;
  return role.startsWith('tickets') ? ['pdf', ...PAGE_KINDS] : [];
}
