import type { BinItem } from '../../../contract/admin/bin.ts';
import { binExpiresAt, type RestoreResult } from '../../../domain/bin.ts';
import { mediaIdOf } from '../../../domain/media-address.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import { type BinRow, emptyBin, forgetBinned, listBin, lockBinned, mediaIdsIn } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/announce.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { lockConfig } from '../config/config.repo.ts';
import { describeBinnedFile, restoreFile } from '../media/file-bin.ts';
import { findMedias, type Media } from '../media/media.repo.ts';
import { sweepDeleted } from '../media/media.sweeper.ts';
import { describeBinnedCode, restoreCode } from '../tokens/tokens.service.ts';
import { restoreClosing, restorePhrase, restoreQuestion } from './texts-from-bin.ts';

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
