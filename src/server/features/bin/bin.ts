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
import { PHRASE_LISTS, QUESTION_FIELDS } from '../../../domain/configuration.ts';
import { BIN, HOUR_MS, MAX_LENGTH } from '../../../domain/limits.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { type BinRow, emptyBin, forgetBinned, listBin, lockBinned, mediaIdsIn } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { startInterval } from '../../work/every.ts';
import { ensureConfig, findConfig, lockConfig, setConfig } from '../config/config.repo.ts';
import { configurationOf, EMPTY_CONFIGURATION } from '../config/config-row.ts';
import { ensureQuestions, readVersioned, updateQuestions } from '../config/questions.repo.ts';
import { describeBinnedFile, restoreFile } from '../media/library.ts';
import { findMedias, type Media } from '../media/media.ts';
import { sweepDeleted } from '../media/sweep.ts';
import { describeBinnedCode, restoreCode } from '../tokens/tokens.service.ts';

export const binCalls = calls(adminCalls.bin, {
  list: listBinned,
  restore: restoreBinned,
  empty: emptyBinNow,
});

/** Returns the contents of the bin, latest first. */
export async function listBinned({ db }: AdminCtx): Promise<BinItem[]> {
  const rows = await listBin(db);
  const files = await findMedias(db, rows.flatMap(mediaIdsIn));
  const byId = new Map(files.map((file) => [file.id, file]));
  return rows.map((row) => itemOf(row, byId));
}

function itemOf(row: BinRow, files: ReadonlyMap<string, Media>): BinItem {
  const { id, kind, place, name, deleted_at } = row;
  const url = kind === 'media' ? describeBinnedFile(row).url : null;
  const held = mediaIdsIn(row).flatMap((each) => files.get(each) ?? []);
  return {
    id,
    kind,
    place,
    name,
    token: kind === 'code' ? describeBinnedCode(row).token : null,
    url,
    content_type: files.get(mediaIdOf(url) ?? '')?.content_type ?? null,
    size: held.reduce((sum, { size }) => sum + size, 0),
    deleted_at,
    until: binExpiresAt(deleted_at).toISOString(),
  };
}

type RestoreRefusal = Refusal<'NOT_FOUND' | 'BIN_PLACE_TAKEN' | 'BIN_LIST_FULL'>;
type RestoredItem = { came: RestoreResult };

/** Restores an item («Rimetti dov’era»), only once under concurrent requests. An item that can't be restored stays in the bin. */
export async function restoreBinned(
  ctx: AdminCtx,
  { id }: { id: string },
): Promise<RestoredItem | RestoreRefusal> {
  const done = await ctx.inTransaction(async (tx): Promise<RestoredItem | RestoreRefusal> => {
    await lockConfig(tx);
    const row = await lockBinned(tx, id);
    if (row === undefined) return refuse('NOT_FOUND');
    const came = await FROM_BIN[row.kind](tx, row, ctx.now());
    if (typeof came !== 'string') return came;
    await forgetBinned(tx, [id]);
    return { came };
  });
  if (!isRefused(done)) publishChange(ctx, 'config', 'tokens');
  return done;
}

const FROM_BIN: Record<
  BinRow['kind'],
  (tx: Db, row: BinRow, now: Date) => Promise<RestoreResult | RestoreRefusal>
> = {
  media: restoreFile,
  code: restoreCode,
  phrase: restorePhrase,
  question: restoreQuestion,
  closing: restoreClosing,
};

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

/** Puts a phrase back into its list, next to its old neighbours if they are still there. */
export async function restorePhrase(
  tx: Db,
  row: BinRow,
  now: Date,
): Promise<RestoreResult | Refusal<'BIN_LIST_FULL'>> {
  const list = requireName(PHRASE_LISTS, row);
  const stored = await findConfig(tx);
  const { [list]: phrases } = stored === undefined ? EMPTY_CONFIGURATION : configurationOf(stored);
  if (phrases.length >= MAX_LENGTH.phrases) return refuse('BIN_LIST_FULL');
  const place = insertIndexFor(phrases, placeSchema.parse(JSON.parse(row.payload)));
  await setConfig(tx, { [list]: JSON.stringify(phrases.toSpliced(place, 0, row.name)) }, now);
  return 'back';
}

type PlaceTaken = Refusal<'BIN_PLACE_TAKEN'>;

/** Puts a question back, if its field is empty. */
export async function restoreQuestion(tx: Db, row: BinRow): Promise<RestoreResult | PlaceTaken> {
  const field = requireName(QUESTION_FIELDS, row);
  await ensureQuestions(tx);
  const { [field]: now, versione } = await readVersioned(tx);
  if (!isBlank(now)) return refuse('BIN_PLACE_TAKEN');
  const saved = await updateQuestions(tx, { [field]: row.name }, versione);
  return saved === undefined ? refuse('BIN_PLACE_TAKEN') : 'back';
}

const CLOSINGS = ['entrambi_si', 'entrambi_no', 'misto'] as const;

/** Puts a closing phrase back, if its field is empty. */
export async function restoreClosing(tx: Db, row: BinRow, now: Date): Promise<RestoreResult | PlaceTaken> {
  const field = requireName(CLOSINGS, row);
  await ensureConfig(tx, now);
  const stored = await findConfig(tx);
  const closing = stored === undefined ? null : configurationOf(stored).frasi_finali;
  const before = closing ?? { entrambi_si: '', entrambi_no: '', misto: '' };
  if (!isBlank(before[field])) return refuse('BIN_PLACE_TAKEN');
  await setConfig(tx, { frasi_finali: JSON.stringify({ ...before, [field]: row.name }) }, now);
  return 'back';
}

type SweepDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'log'>;

/**
 * Removes expired items from the bin, and the oldest beyond its capacity. The next sweep of the files deletes their
 * bytes. Several processes may run it concurrently.
 */
export async function sweepBin({ db, inTransaction, now }: SweepDeps): Promise<void> {
  await inTransaction((tx) => emptyBin(tx, binCutoff(now())));
  const beyond = (await listBin(db)).slice(BIN.items).map(({ id }) => id);
  await inTransaction((tx) => forgetBinned(tx, beyond));
}

/** Sweeps every hour. Returns a function that stops it, after a sweep in progress. */
export function startBinSweeper(deps: SweepDeps): () => Promise<void> {
  return startInterval(
    HOUR_MS,
    () => sweepBin(deps),
    (error) => deps.log.error({ err: error }, 'bin sweep failed'),
  ).stop;
}
