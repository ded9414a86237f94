import { z } from 'zod';
import type { BinItem } from '../../../contract/admin/tokens.ts';
import {
  binCutoff,
  binExpiresAt,
  insertIndexFor,
  type PhrasePosition,
  type RestoreResult,
} from '../../../domain/bin.ts';
import { isBlank } from '../../../domain/blank.ts';
import { fillRecord, PHRASE_LISTS, QUESTION_FIELDS } from '../../../domain/configuration.ts';
import { BIN, HOUR_MS, MAX_LENGTH } from '../../../domain/limits.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { type BinRow, emptyBin, forgetBinned, listBin, lockBinned, mediaIdsIn } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { startInterval } from '../../work/timers.ts';
import {
  CLOSINGS,
  configurationOf,
  EMPTY_ROW,
  findConfig,
  lockConfig,
  lockRow,
  setConfig,
  setRow,
} from '../config/config.ts';
import { describeBinnedFile, restoreFile } from '../media/library.ts';
import { findMedias } from '../media/media.ts';
import { sweepDeleted } from '../media/sweep.ts';
import { describeBinnedCode, restoreCode } from '../tokens/tokens.ts';

export const binCalls = calls(adminCalls.bin, {
  list: listBinned,
  restore: restoreBinned,
  empty: emptyBinNow,
});

/** Returns the contents of the bin, latest first. */
export async function listBinned({ db }: AdminCtx): Promise<BinItem[]> {
  const rows = await listBin(db);
  const files = await findMedias(db, rows.flatMap(mediaIdsIn));
  return rows.map((row) => {
    const { id, kind, place, name, deleted_at } = row;
    const url = kind === 'media' ? describeBinnedFile(row).url : null;
    const ids = mediaIdsIn(row);
    const held = files.filter((file) => ids.includes(file.id));
    return {
      id,
      kind,
      place,
      name,
      token: kind === 'code' ? describeBinnedCode(row).token : null,
      url,
      content_type: held.find((file) => file.id === mediaIdOf(url))?.content_type ?? null,
      size: held.reduce((sum, { size }) => sum + size, 0),
      deleted_at,
      until: binExpiresAt(deleted_at).toISOString(),
    };
  });
}

type RestoreRefusal = Refusal<'NOT_FOUND' | 'BIN_PLACE_TAKEN' | 'BIN_LIST_FULL'>;

/** Restores an item («Rimetti dov’era»), only once under concurrent requests. An item that can't be restored stays in the bin. */
export async function restoreBinned(
  ctx: AdminCtx,
  { id }: { id: string },
): Promise<{ came: RestoreResult } | RestoreRefusal> {
  const came = await ctx.inTransaction(async (tx): Promise<RestoreResult | RestoreRefusal> => {
    await lockConfig(tx);
    const row = await lockBinned(tx, id);
    if (row === undefined) return refuse('NOT_FOUND');
    const came = await FROM_BIN[row.kind](tx, row, ctx.now());
    if (!isRefused(came)) await forgetBinned(tx, [id]);
    return came;
  });
  if (isRefused(came)) return came;
  publishChange(ctx, 'config', 'tokens');
  return { came };
}

/** Empties the bin and deletes the bytes of files that only it held. */
export async function emptyBinNow(ctx: AdminCtx): Promise<Record<string, never>> {
  await ctx.inTransaction((tx) => emptyBin(tx));
  await sweepDeleted(ctx);
  publishChange(ctx, 'config', 'tokens');
  return {};
}

const placeSchema: z.ZodType<PhrasePosition> = z.strictObject({
  posizione: z.int(),
  prima: z.string().nullable(),
  dopo: z.string().nullable(),
});

/** Returns the field or list of a row, which is always one of `names`. */
function requireName<N extends string>(names: readonly N[], { place }: BinRow): N {
  const name = names.find((each) => each === place);
  if (name === undefined) throw new Error(`Nothing is called ${place}`);
  return name;
}

const FROM_BIN: Record<
  BinRow['kind'],
  (tx: Db, row: BinRow, now: Date) => Promise<RestoreResult | RestoreRefusal>
> = {
  media: restoreFile,
  code: restoreCode,
  /** Puts a phrase back into its list, next to its old neighbours if they are still there. */
  async phrase(tx, row, now) {
    const list = requireName(PHRASE_LISTS, row);
    const { [list]: phrases } = configurationOf((await findConfig(tx)) ?? EMPTY_ROW);
    if (phrases.length >= MAX_LENGTH.phrases) return refuse('BIN_LIST_FULL');
    const place = insertIndexFor(phrases, placeSchema.parse(JSON.parse(row.payload)));
    await setConfig(tx, { [list]: JSON.stringify(phrases.toSpliced(place, 0, row.name)) }, now);
    return 'back';
  },
  /** Puts a question back, if its field is empty. */
  async question(tx, row, now) {
    const field = requireName(QUESTION_FIELDS, row);
    const before = await lockRow(tx, 'checkbox_questions');
    if (!isBlank(before?.[field])) return refuse('BIN_PLACE_TAKEN');
    await setRow(tx, 'checkbox_questions', { [field]: row.name }, now);
    return 'back';
  },
  /** Puts a closing phrase back, if its field is empty. */
  async closing(tx, row, now) {
    const field = requireName(CLOSINGS, row);
    const { frasi_finali } = configurationOf((await findConfig(tx)) ?? EMPTY_ROW);
    if (!isBlank(frasi_finali?.[field])) return refuse('BIN_PLACE_TAKEN');
    const closing = { ...fillRecord(CLOSINGS, ''), ...frasi_finali, [field]: row.name };
    await setConfig(tx, { frasi_finali: JSON.stringify(closing) }, now);
    return 'back';
  },
};

/**
 * Removes expired items from the bin, and the oldest beyond its capacity. The next sweep of the files deletes their
 * bytes. Several processes may run it concurrently.
 */
export async function sweepBin({ db, inTransaction, now }: Deps): Promise<void> {
  const cutoff = binCutoff(now()).toISOString();
  const gone = (await listBin(db)).filter((row, place) => place >= BIN.items || row.deleted_at < cutoff);
  const ids = gone.map(({ id }) => id);
  await inTransaction((tx) => forgetBinned(tx, ids));
}

/** Sweeps every hour. Returns a function that stops it, after a sweep in progress. */
export function startBinSweeper(deps: Deps): () => Promise<void> {
  return startInterval(
    HOUR_MS,
    () => sweepBin(deps),
    (error) => deps.log.error({ err: error }, 'bin sweep failed'),
  ).stop;
}
