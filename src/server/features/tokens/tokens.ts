import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { LiveTopic } from '../../../contract/admin/dashboard.ts';
import { type TokenRecord, tokenSchema } from '../../../contract/model.ts';
import { extendedExpiry } from '../../../domain/access.ts';
import { isBlank } from '../../../domain/blank.ts';
import { newCode, normalizeCode } from '../../../domain/codes.ts';
import type { ForcedReason } from '../../../domain/evening.ts';
import { DAY_MS, MAX_ACCESSES, TOKEN_DEFAULTS } from '../../../domain/limits.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { type BinRow, putInBin } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { insertEvents } from '../../event-log/events.repo.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { findSiteSettings } from '../config/config.ts';
import { lockUnfinishedOf } from '../visit/sessions.repo.ts';
import { disconnectSessions } from '../visit/sessions.ts';

export const tokensCalls = calls(adminCalls.tokens, {
  list: listTokens,
  create: (ctx, input) => createToken(ctx, input),
  setActive: setTokenActive,
  addAccess,
  extend: extendToken,
  remove: removeToken,
});

const FIELDS = tokenSchema.keyof().options;

export function listTokens({ db }: AdminCtx): Promise<TokenRecord[]> {
  return findTokens(db);
}

/** Returns all codes, newest first. */
export async function findTokens(db: Db): Promise<TokenRecord[]> {
  return db.selectFrom('tokens').select(FIELDS).orderBy('created_at', 'desc').orderBy('id').execute();
}

/** `giorni`: days until expiry; 30 by default, null for never (spec 5). */
export type NewToken = { nome: string; max_accessi?: number | undefined; giorni?: number | null | undefined };

/** Maximum number of draws. With eight random characters even a second one is improbable. */
const MAX_DRAWS = 10;

/**
 * Creates a code: draws until it is unique.
 * @param random returns an integer in [0, max) from a cryptographic source
 */
export async function createToken(
  ctx: AdminCtx,
  { nome, max_accessi = TOKEN_DEFAULTS.max_accessi, giorni = TOKEN_DEFAULTS.days }: NewToken,
  random: (max: number) => number = (max) => randomInt(max),
): Promise<TokenRecord | Refusal<'NAME_REQUIRED'>> {
  if (isBlank(nome)) return refuse('NAME_REQUIRED');
  const made = await ctx.inTransaction(async (tx) => {
    const now = ctx.now();
    for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
      const token = newCode(random);
      const inserted = await insertToken(tx, {
        id: randomUUID(),
        token,
        normalized: normalizeCode(token),
        nome: nome.trim(),
        max_accessi,
        accessi_usati: 0,
        scadenza: giorni === null ? null : new Date(now.getTime() + giorni * DAY_MS).toISOString(),
        attivo: true,
        created_by: ctx.actor.user_id,
        created_at: now.toISOString(),
      });
      if (inserted === undefined) continue;
      await log(tx, 'token_created', inserted, {}, now);
      return inserted;
    }
    throw new Error(`${MAX_DRAWS} codes in a row existed already`);
  });
  publishChange(ctx, 'tokens', 'logs');
  return made;
}

/** Inserts a code. Returns undefined if one with the same normalised value exists. */
function insertToken(tx: Db, token: TokenRecord & { normalized: string }): Promise<TokenRecord | undefined> {
  return tx
    .insertInto('tokens')
    .values(token)
    .onConflict((conflict) => conflict.column('normalized').doNothing())
    .returning(FIELDS)
    .executeTakeFirst();
}

/** Topics that a revocation changes. */
const REVOKED: readonly LiveTopic[] = ['tokens', 'sessions', 'logs'];

/** Revokes a code and disconnects its holders at once, or restores it. An unchanged state is not logged again. */
export function setTokenActive(ctx: AdminCtx, { id, attivo }: { id: string; attivo: boolean }) {
  return changeToken(ctx, id, REVOKED, async (tx, before) => {
    if (before.attivo === attivo) return { result: before };
    const result = await updateToken(tx, before, { attivo });
    return attivo ? { result } : { result, notifyNode: await revoke(ctx, tx, result, 'token_revoked') };
  });
}

/** «+1 accesso»: does nothing if `max_accessi`, the value the page showed, has changed. A repeated request therefore counts once. */
export function addAccess(ctx: AdminCtx, { id, max_accessi: seen }: { id: string; max_accessi: number }) {
  return changeToken(ctx, id, ['tokens'], async (tx, before) => {
    const isDue = before.max_accessi === seen && seen < MAX_ACCESSES;
    return { result: isDue ? await updateToken(tx, before, { max_accessi: seen + 1 }) : before };
  });
}

/** «Proroga»: adds `giorni` unless `scadenza`, the expiry the page showed, has changed. */
export function extendToken(
  ctx: AdminCtx,
  { id, giorni, scadenza: seen }: { id: string; giorni: number; scadenza: string | null },
) {
  return changeToken(ctx, id, ['tokens'], async (tx, before) => {
    const scadenza = before.scadenza === seen ? extendedExpiry(seen, giorni, ctx.now()) : before.scadenza;
    return { result: await updateToken(tx, before, { scadenza }) };
  });
}

/** Moves the code to the bin and disconnects its holders. Sessions and logs keep its value. Returns the bin id. */
export function removeToken(ctx: AdminCtx, { id }: { id: string }) {
  return changeToken(ctx, id, REVOKED, async (tx) => {
    const payload = await tx
      .deleteFrom('tokens')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const bin = await putInBin(tx, { kind: 'code', place: null, name: payload.nome, payload }, ctx.now());
    return { result: { bin }, notifyNode: await revoke(ctx, tx, payload, 'token_deleted') };
  });
}

/**
 * Changes a code and publishes the topics.
 * @param change receives the code, locked until the transaction ends. `notifyNode` is called after the commit.
 */
async function changeToken<R>(
  ctx: AdminCtx,
  id: string,
  topics: readonly LiveTopic[],
  change: (tx: Db, before: TokenRecord) => Promise<{ result: R; notifyNode?: () => void }>,
): Promise<R | Refusal<'NOT_FOUND'>> {
  const done = await ctx.inTransaction(async (tx) => {
    const before = await tx
      .updateTable('tokens')
      .set((eb) => ({ attivo: eb.ref('attivo') }))
      .where('id', '=', id)
      .returning(FIELDS)
      .executeTakeFirst();
    return before && change(tx, before);
  });
  if (done === undefined) return refuse('NOT_FOUND');
  done.notifyNode?.();
  publishChange(ctx, ...topics);
  return done.result;
}

async function updateToken(tx: Db, before: TokenRecord, change: Partial<TokenRecord>): Promise<TokenRecord> {
  await tx.updateTable('tokens').set(change).where('id', '=', before.id).execute();
  return { ...before, ...change };
}

/**
 * Disconnects all holders of a code: closes open sessions with one `forced_disconnect` each, and prevents closed ones
 * from resuming. Returns the function that notifies this node after the commit.
 */
async function revoke(ctx: Deps, tx: Db, token: TokenRecord, reason: ForcedReason): Promise<() => void> {
  const now = ctx.now();
  await log(tx, 'token_revoked', token, { reason }, now);
  // Locks all of them first, so that a session that is being resumed isn't missed.
  const session_ids = await lockUnfinishedOf(tx, token.id);
  await disconnectSessions(tx, token.id, reason, now);
  return publishDisconnection(ctx, tx, session_ids, reason);
}

/**
 * Publishes to all nodes that the live channels and transfers of these visits must close. Other nodes receive it with the
 * commit; the returned function notifies this node and must be called after the commit. Lost messages are found in the
 * database (`live/connections.ts`).
 */
export async function publishDisconnection(
  { live }: Pick<Deps, 'live'>,
  tx: Db,
  session_ids: string[],
  reason: ForcedReason,
): Promise<() => void> {
  if (session_ids.length === 0) return () => {};
  const contatto = (await findSiteSettings(tx))?.contatto ?? null;
  const disconnection = { reason, contatto };
  return live.publishInTransaction(tx, { type: 'disconnected', session_ids, disconnection });
}

async function log(
  tx: Db,
  event_type: 'token_created' | 'token_revoked',
  { id: token_id, token: token_value }: TokenRecord,
  metadata: Record<string, string>,
  now: Date,
) {
  const what = { token_id, token_value, device_id: null, user_agent: null };
  await insertEvents(tx, [{ event_type, ...what, success: true, metadata }], now);
}

/**
 * Restores a deleted code with its remaining uses, in the caller's transaction. Visits that its deletion disconnected stay disconnected.
 */
export async function restoreCode(tx: Db, binned: BinRow): Promise<'back' | Refusal<'BIN_PLACE_TAKEN'>> {
  const token = describeBinnedCode(binned);
  return (await insertToken(tx, token)) === undefined ? refuse('BIN_PLACE_TAKEN') : 'back';
}

export const describeBinnedCode = ({ payload }: BinRow) => binnedSchema.parse(JSON.parse(payload));

const binnedSchema = tokenSchema.extend({ normalized: z.string() });
