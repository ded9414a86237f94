import { z } from 'zod';
import {
  type LightFilm,
  type MediaItem,
  type MediaWarning,
  STORED_WARNINGS,
} from '../../../contract/admin/media.ts';
import type { RestoreResult } from '../../../domain/bin.ts';
import {
  type ImageSlot,
  loudnessWarning,
  MEDIA_SLOTS,
  mediaIdOf,
  mediaUrl,
  SLOT_NAMES,
  type SlotName,
  type StoredLight,
} from '../../../domain/media.ts';
import type { Fuoco } from '../../../domain/pictures.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { type BinRow, mediaIdsIn, putInBin } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import { isStorable } from '../../http/edge.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { findConfig, lockConfig, setConfig } from '../config/config.ts';
import { ticketPagesIn } from '../visit/snapshot.ts';
import * as repo from './library.repo.ts';
import { deleteMediaAt, findMedia, findMedias, type Media, unmarkDeleted } from './media.ts';

export type SavedMedia = { items: MediaItem[]; versione: number };
export type SavedItem = { item: MediaItem; versione: number };

type SlotItem = { slot: SlotName; id: string };

/** Returns the files of a slot, newest first; for songs at most the active one. */
export async function listMedia({ db }: AdminCtx, { slot }: { slot: SlotName }): Promise<MediaItem[]> {
  return (await readSlot(db, slot)).items;
}

/** Activates a file («Usa»): the configuration refers to it from now on. */
export function activateFile(ctx: AdminCtx, where: SlotItem): Promise<SavedMedia | Refusal<'NOT_FOUND'>> {
  return changeListed(ctx, where, (tx, { url }) =>
    setConfig(tx, { [MEDIA_SLOTS[where.slot].field]: url }, ctx.now()),
  );
}

/** Sets the focus point of a destination picture. Visits in progress retain theirs. */
export function setFocusPoint(
  ctx: AdminCtx,
  { fuoco, ...where }: { slot: ImageSlot; id: string; fuoco: Fuoco | null },
): Promise<SavedMedia | Refusal<'NOT_FOUND'>> {
  return changeListed(ctx, where, (tx, { id }) => repo.setFocus(tx, id, fuoco));
}

/** Moves a file to the bin and clears the field that refers to it. Returns its id in the bin. */
export async function deleteFile(ctx: AdminCtx, where: SlotItem) {
  const { field } = MEDIA_SLOTS[where.slot];
  let bin = '';
  const saved = await changeListed(ctx, where, async (tx, item) => {
    bin = await moveFileToBin(tx, where.slot, item, ctx.now());
    if (item.attivo) await setConfig(tx, { [field]: null }, ctx.now());
  });
  return isRefused(saved) ? saved : { ...saved, bin };
}

/** Changes one file of a slot and returns the new content of the slot. */
async function changeListed(
  ctx: AdminCtx,
  { slot, id }: SlotItem,
  change: (tx: Db, item: MediaItem) => Promise<unknown>,
): Promise<SavedMedia | Refusal<'NOT_FOUND'>> {
  const saved = await ctx.inTransaction(async (tx) => {
    await lockConfig(tx);
    const found = (await readSlot(tx, slot)).items.find((item) => item.id === id);
    if (found === undefined) return refuse('NOT_FOUND');
    await change(tx, found);
    return readSlot(tx, slot);
  });
  if (!isRefused(saved)) publishChange(ctx, 'config');
  return saved;
}

/** Changes a listed film and returns it. Changes nothing if it was deleted. */
export async function changeFilm(
  ctx: AdminCtx,
  id: string,
  change: (tx: Db, film: MediaItem) => Promise<unknown>,
): Promise<SavedItem | Refusal<'NOT_FOUND'>> {
  const saved = await changeListed(ctx, { slot: 'video', id }, change);
  if (isRefused(saved)) return saved;
  const item = saved.items.find((each) => each.id === id);
  return item === undefined ? refuse('NOT_FOUND') : { item, versione: saved.versione };
}

/** Returns the files of a slot and the version of the configuration. */
export async function readSlot(db: Db, slot: SlotName): Promise<SavedMedia> {
  const { kind, field } = MEDIA_SLOTS[slot];
  const config = await findConfig(db);
  const active = config?.[field] ?? null;
  const listed = kind === 'song' ? await songAt(db, active) : await repo.listFiles(db, MEDIA_SLOTS[slot]);
  const media = await mediaOf(db, listed);
  const film = kind === 'song' ? await findMedia(db, mediaIdOf(config?.video_url ?? null) ?? '') : null;
  const items = listed.map(({ captionsLate, light, ...row }): MediaItem => {
    const file = media.get(row.url);
    const warnings = [
      ...storedWarnings(file),
      loudnessWarning(kind, file?.loudness ?? null, film?.loudness ?? null),
      captionsLate ? ('CAPTIONS_AFTER_END' as const) : null,
    ];
    return {
      ...row,
      light: light && lightFilm(light, media),
      attivo: row.url === active,
      content_type: file?.content_type ?? 'application/octet-stream',
      size: file?.size ?? 0,
      pages: ticketPagesIn(file?.pages ?? null),
      warnings: warnings.filter((warning) => warning !== null),
    };
  });
  return { items, versione: config?.versione ?? 0 };
}

/** Returns the song at an address, as if songs had a list. */
async function songAt(db: Db, url: string | null): Promise<repo.Listed[]> {
  const song = await findMedia(db, mediaIdOf(url) ?? '');
  if (song === null) return [];
  const { id, nome, created_at } = song;
  return [{ id, nome, url: mediaUrl(song), ...repo.NO_FILM, ...repo.NO_PICTURE, tipo: null, created_at }];
}

async function mediaOf(db: Db, listed: readonly repo.Listed[]): Promise<Map<string, Media>> {
  const addresses = listed.flatMap(({ url, light }) => [url, light?.url ?? null]);
  const media = await findMedias(
    db,
    addresses.flatMap((url) => mediaIdOf(url) ?? []),
  );
  return new Map(media.map((file) => [mediaUrl(file), file]));
}

function lightFilm({ url, ...light }: StoredLight, media: ReadonlyMap<string, Media>): LightFilm {
  return { ...light, size: url === null ? null : (media.get(url)?.size ?? null) };
}

function storedWarnings(file: Media | undefined): MediaWarning[] {
  const list: unknown = JSON.parse(file?.warnings ?? '[]');
  return Array.isArray(list) ? STORED_WARNINGS.filter((warning) => list.includes(warning)) : [];
}

/** Returns a listed video, or null; accepts any string as id. */
export async function videoOf(db: Db, id: string): Promise<repo.Video | null> {
  return isStorable(id) ? repo.findVideo(db, id) : null;
}

/** Data needed to restore a file. */
const binnedSchema = z.strictObject({
  url: z.string(),
  attivo: z.boolean(),
  /** Row in the list of its kind; null for a song, which has no list. */
  row: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable(),
  /** Start of a song, in seconds. */
  inizio: z.number().nullable(),
});

/**
 * Moves a file of a slot, its companions and its list row to the bin. The caller holds `lockConfig` and clears the
 * field that refers to the file. Returns the id in the bin.
 */
export async function moveFileToBin(tx: Db, slot: SlotName, file: MediaItem, now: Date): Promise<string> {
  const { kind } = MEDIA_SLOTS[slot];
  const row = kind === 'song' ? null : ((await repo.removeListedRow(tx, kind, file.id)) ?? null);
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
  for (const song of (await readSlot(tx, 'canzone')).items) await moveFileToBin(tx, 'canzone', song, now);
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
  const slot = SLOT_NAMES.find((name) => name === binned.place);
  if (slot === undefined) throw new Error(`No slot is called ${binned.place}`);
  const { kind, field } = MEDIA_SLOTS[slot];
  const { url, attivo, row, inizio } = describeBinnedFile(binned);
  const isOccupied = ((await findConfig(tx))?.[field] ?? null) !== null;
  if (kind === 'song' && isOccupied) return refuse('BIN_PLACE_TAKEN');
  if (kind !== 'song' && row !== null) await repo.insertListedRow(tx, kind, row);
  await unmarkDeleted(tx, mediaIdsIn(binned));
  if (!attivo || isOccupied) return attivo ? 'listed' : 'back';
  await setConfig(tx, { [field]: url, ...(inizio !== null && { canzone_inizio_secondi: inizio }) }, now);
  return 'active';
}

/** Returns the stored data of a file in the bin: its address and whether it was active. */
export function describeBinnedFile({ payload }: BinRow): z.infer<typeof binnedSchema> {
  return binnedSchema.parse(JSON.parse(payload));
}
