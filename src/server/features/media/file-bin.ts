import { z } from 'zod';
import type { MediaItem } from '../../../contract/admin/media.ts';
import type { RestoreResult } from '../../../domain/bin.ts';
import { MEDIA_SLOTS, mediaIdOf, mediaUrl, SLOT_NAMES, type SlotName } from '../../../domain/media.ts';
import { type BinRow, mediaIdsIn, putInBin } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { findConfig, setConfig } from '../config/config.repo.ts';
import { insertListedRow, removeListedRow } from './library.repo.ts';
import { findMedia, unmarkDeleted } from './media.repo.ts';
import { deleteMediaAt } from './media.service.ts';

/** Data needed to restore a file. */
const binnedSchema = z.strictObject({
  url: z.string(),
  attivo: z.boolean(),
  /** Row in the list of its kind; null for a song, which has no list. */
  row: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable(),
  /** Start of a song, in seconds. */
  inizio: z.number().nullable(),
});

type Binned = Pick<MediaItem, 'id' | 'nome' | 'url' | 'poster_url' | 'captions' | 'attivo'>;

/**
 * Moves a file of a slot, its companions and its list row to the bin. The caller holds `lockConfig` and clears the
 * field that refers to the file. Returns the id in the bin.
 */
export async function moveFileToBin(tx: Db, slot: SlotName, file: Binned, now: Date): Promise<string> {
  const { kind } = MEDIA_SLOTS[slot];
  const row = kind === 'song' ? null : ((await removeListedRow(tx, kind, file.id)) ?? null);
  const inizio = kind === 'song' ? ((await findConfig(tx))?.canzone_inizio_secondi ?? null) : null;
  const media: string[] = [];
  for (const address of [file.url, file.poster_url, file.captions?.url ?? null])
    media.push(...(await deleteMediaAt(tx, address, now)));
  const payload: z.input<typeof binnedSchema> = {
    url: file.url,
    attivo: file.attivo,
    row: row && binnedSchema.shape.row.parse(row),
    inizio,
  };
  return putInBin(tx, { kind: 'media', place: slot, name: file.nome, payload, media }, now);
}

/** Moves the present song to the bin, if there is one, because another replaces it. */
export async function moveSongToBin(tx: Db, now: Date): Promise<void> {
  const url = (await findConfig(tx))?.canzone_url ?? null;
  const song = await findMedia(tx, mediaIdOf(url) ?? '');
  if (song === null) return;
  const { id, nome } = song;
  const file = { id, nome, url: mediaUrl(song), poster_url: null, captions: null, attivo: true };
  await moveFileToBin(tx, 'canzone', file, now);
}

/**
 * Puts a file back into its list. Activates it if it was active and its field is empty. A song has only the active one,
 * so it stays in the bin otherwise. The caller holds `lockConfig` and deletes the bin's row.
 */
export async function restoreFile(
  tx: Db,
  binned: BinRow,
  now: Date,
): Promise<RestoreResult | Refusal<'BIN_PLACE_TAKEN'>> {
  const slot = slotOf(binned);
  const { kind, field } = MEDIA_SLOTS[slot];
  const { url, attivo, row, inizio } = describeBinnedFile(binned);
  const isOccupied = ((await findConfig(tx))?.[field] ?? null) !== null;
  if (kind === 'song' && isOccupied) return refuse('BIN_PLACE_TAKEN');
  if (kind !== 'song' && row !== null) await insertListedRow(tx, kind, row);
  await unmarkDeleted(tx, mediaIdsIn(binned));
  if (!attivo || isOccupied) return attivo ? 'listed' : 'back';
  await setConfig(tx, { [field]: url, ...(inizio !== null && { canzone_inizio_secondi: inizio }) }, now);
  return 'active';
}

/** Returns the stored data of a file in the bin: its address and whether it was active. */
export function describeBinnedFile({ payload }: BinRow): z.infer<typeof binnedSchema> {
  return binnedSchema.parse(JSON.parse(payload));
}

export function slotOf({ place }: BinRow): SlotName {
  const slot = SLOT_NAMES.find((name) => name === place);
  if (slot === undefined) throw new Error(`No slot is called ${place}`);
  return slot;
}
