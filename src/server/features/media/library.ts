import {
  type LightFilm,
  type MediaItem,
  type MediaWarning,
  STORED_WARNINGS,
} from '../../../contract/admin/media.ts';
import {
  type ImageSlot,
  loudnessWarning,
  MEDIA_SLOTS,
  type MediaSlot,
  mediaIdOf,
  mediaUrl,
  type SlotName,
  type StoredLight,
} from '../../../domain/media.ts';
import type { Fuoco } from '../../../domain/pictures.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import { isStorable } from '../../http/json-body.ts';
import { publishChange } from '../../live/announce.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { findConfig, lockConfig, setConfig } from '../config/config.repo.ts';
import { ticketPagesIn } from '../visit/visit.repo.ts';
import { moveFileToBin } from './file-bin.ts';
import * as repo from './library.repo.ts';
import { findMedia, findMedias, type Media } from './media.repo.ts';

export type SavedMedia = { items: MediaItem[]; versione: number };

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
export async function deleteFile(
  ctx: AdminCtx,
  where: SlotItem,
): Promise<(SavedMedia & { bin: string }) | Refusal<'NOT_FOUND'>> {
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

/** Returns the files of a slot and the version of the configuration. */
export async function readSlot(db: Db, slot: SlotName): Promise<SavedMedia> {
  const { field, ...rest } = MEDIA_SLOTS[slot];
  const config = await findConfig(db);
  const active = config?.[field] ?? null;
  const listed = await filesOf(db, { field, ...rest }, active);
  const media = await mediaOf(db, listed);
  const film = rest.kind === 'song' ? await loudnessAt(db, config?.video_url ?? null) : null;
  const items = listed.map((row) => {
    const file = media.get(row.url);
    const light = row.light === null ? null : lightFilm(row.light, media);
    const soundWarning = loudnessWarning(rest.kind, file?.loudness ?? null, film);
    return itemOf({ ...row, light }, file, { attivo: row.url === active, soundWarning });
  });
  return { items, versione: config?.versione ?? 0 };
}

async function filesOf(db: Db, slot: MediaSlot, active: string | null): Promise<repo.Listed[]> {
  if (slot.kind !== 'song') return repo.listFiles(db, slot);
  const song = await findMedia(db, mediaIdOf(active) ?? '');
  if (song === null) return [];
  const { id, nome, created_at } = song;
  return [{ id, nome, url: mediaUrl(song), ...repo.NO_FILM, ...repo.NO_PICTURE, tipo: null, created_at }];
}

async function mediaOf(db: Db, listed: readonly repo.Listed[]): Promise<Map<string, Media>> {
  const ids = listed.flatMap(({ url, light }) =>
    [url, light?.url ?? null].flatMap((each) => mediaIdOf(each) ?? []),
  );
  return new Map((await findMedias(db, ids)).map((media) => [mediaUrl(media), media]));
}

/** Returns the loudness of the file at an address in LUFS; null without sound. */
async function loudnessAt(db: Db, url: string | null): Promise<number | null> {
  return (await findMedia(db, mediaIdOf(url) ?? ''))?.loudness ?? null;
}

type ItemStatus = { attivo: boolean; soundWarning: MediaWarning | null };

function lightFilm({ url, ...light }: StoredLight, media: ReadonlyMap<string, Media>): LightFilm {
  return { ...light, size: url === null ? null : (media.get(url)?.size ?? null) };
}

function itemOf(
  { captionsLate, ...row }: Omit<repo.Listed, 'light'> & Pick<MediaItem, 'light'>,
  media: Media | undefined,
  { attivo, soundWarning }: ItemStatus,
): MediaItem {
  const late: MediaWarning | null = captionsLate ? 'CAPTIONS_AFTER_END' : null;
  return {
    ...row,
    attivo,
    content_type: media?.content_type ?? 'application/octet-stream',
    size: media?.size ?? 0,
    pages: ticketPagesIn(media?.pages ?? null),
    warnings: [...warningsIn(media?.warnings), ...[soundWarning, late].filter((warning) => warning !== null)],
  };
}

/** Returns the warnings stored with a file. */
function warningsIn(stored = '[]'): MediaWarning[] {
  const list: unknown = JSON.parse(stored);
  return Array.isArray(list) ? STORED_WARNINGS.filter((warning) => list.includes(warning)) : [];
}

/** Returns a listed film and the version of the configuration, or null if it does not exist. */
export async function filmItem(db: Db, id: string): Promise<{ item: MediaItem; versione: number } | null> {
  const { items, versione } = await readSlot(db, 'video');
  const item = items.find((each) => each.id === id);
  return item === undefined ? null : { item, versione };
}

/** Returns a listed video, or null; accepts any string as id. */
export async function videoOf(db: Db, id: string): Promise<repo.Video | null> {
  return isStorable(id) ? repo.findVideo(db, id) : null;
}
