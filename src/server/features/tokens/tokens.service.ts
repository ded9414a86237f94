import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type TokenRecord, tokenSchema } from '../../../contract/model.ts';
import { extendedExpiry } from '../../../domain/access.ts';
import { isBlank } from '../../../domain/blank.ts';
import { newCode, normalizeCode } from '../../../domain/codes.ts';
import { DAY_MS, MAX_ACCESSES, TOKEN_DEFAULTS } from '../../../domain/limits.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { type BinRow, putInBin } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import { type EventType, insertEvents } from '../../event-log/event-log.repo.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { disconnectHolders, type ForcedDisconnection, publishDisconnection } from './disconnect.ts';
import * as repo from './tokens.repo.ts';

export const tokensCalls = calls(adminCalls.tokens, {
  list: listTokens,
  create: (ctx, input) => createToken(ctx, input),
  setActive: setTokenActive,
  addAccess,
  extend: extendToken,
  remove: removeToken,
});

/** Maximum number of draws. With eight random characters even a second one is improbable. */
const MAX_DRAWS = 10;

export async function listTokens({ db }: AdminCtx): Promise<TokenRecord[]> {
  return repo.listTokens(db);
}

/** `giorni`: days until expiry; 30 by default, null for never (spec 5). */
export type NewToken = { nome: string; max_accessi?: number | undefined; giorni?: number | null | undefined };

/**
 * Creates a code.
 * @param random returns an integer in [0, max) from a cryptographic source
 */
export async function createToken(
  ctx: AdminCtx,
  { nome, max_accessi = TOKEN_DEFAULTS.max_accessi, giorni = TOKEN_DEFAULTS.days }: NewToken,
  random: (max: number) => number = (max) => randomInt(max),
): Promise<TokenRecord | Refusal<'NAME_REQUIRED'>> {
  const name = nome.trim();
  if (isBlank(nome)) return refuse('NAME_REQUIRED');
  const made = await ctx.inTransaction(async (tx) => {
    const now = ctx.now();
    const scadenza = giorni === null ? null : new Date(now.getTime() + giorni * DAY_MS).toISOString();
    const fields = {
      nome: name,
      max_accessi,
      scadenza,
      created_by: ctx.actor.user_id,
      created_at: now.toISOString(),
    };
    const token = await drawToken(tx, fields, random);
    await log(tx, 'token_created', token, {}, now);
    return token;
  });
  publishChange(ctx, 'tokens', 'logs');
  return made;
}

type Fields = Pick<TokenRecord, 'nome' | 'max_accessi' | 'scadenza' | 'created_by' | 'created_at'>;

/** Draws until the code is unique. */
async function drawToken(tx: Db, fields: Fields, random: (max: number) => number): Promise<TokenRecord> {
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const token = newCode(random);
    const row = {
      id: randomUUID(),
      token,
      normalized: normalizeCode(token),
      accessi_usati: 0,
      attivo: true,
      ...fields,
    };
    const inserted = await repo.insertToken(tx, row);
    if (inserted) return inserted;
  }
  throw new Error(`${MAX_DRAWS} codes in a row existed already`);
}

/** Revokes a code and disconnects its holders at once, or restores it. An unchanged state is not logged again. */
export async function setTokenActive(
  ctx: AdminCtx,
  { id, attivo }: { id: string; attivo: boolean },
): Promise<TokenRecord | Refusal<'NOT_FOUND'>> {
  const done = await ctx.inTransaction(async (tx): Promise<TokenChange | Refusal<'NOT_FOUND'>> => {
    const before = await repo.lockToken(tx, id);
    if (before === undefined) return refuse('NOT_FOUND');
    if (before.attivo === attivo) return { token: before, notifyNode: () => {} };
    const token = { ...before, attivo };
    await repo.setActive(tx, id, attivo);
    return { token, notifyNode: attivo ? () => {} : await revoke(ctx, tx, token, 'token_revoked') };
  });
  if (isRefused(done)) return done;
  done.notifyNode();
  publishChange(ctx, ...REVOKED);
  return done.token;
}

/** Topics that a revocation changes. */
const REVOKED = ['tokens', 'sessions', 'logs'] as const;

/** A changed code, and a function that notifies this node after the commit. */
type TokenChange = { token: TokenRecord; notifyNode(): void };

/** «+1 accesso»: does nothing if `max_accessi`, the value the page showed, has changed. A repeated request therefore counts once. */
export async function addAccess(
  ctx: AdminCtx,
  { id, max_accessi }: { id: string; max_accessi: number },
): Promise<TokenRecord | Refusal<'NOT_FOUND'>> {
  return changed(ctx, async (tx) => {
    await repo.addAccess(tx, id, max_accessi, MAX_ACCESSES);
    return repo.findToken(tx, id);
  });
}

/** «Proroga»: adds `giorni` unless `scadenza`, the expiry the page showed, has changed. */
export async function extendToken(
  ctx: AdminCtx,
  { id, giorni, scadenza: seen }: { id: string; giorni: number; scadenza: string | null },
): Promise<TokenRecord | Refusal<'NOT_FOUND'>> {
  return changed(ctx, async (tx) => {
    const before = await repo.lockToken(tx, id);
    if (before === undefined || before.scadenza !== seen) return before;
    const scadenza = extendedExpiry(seen, giorni, ctx.now());
    if (scadenza !== null) await repo.setExpiry(tx, id, scadenza);
    return { ...before, scadenza };
  });
}

/** Changes a code and publishes the change. */
async function changed(
  ctx: AdminCtx,
  change: (tx: Db) => Promise<TokenRecord | undefined>,
): Promise<TokenRecord | Refusal<'NOT_FOUND'>> {
  const token = await ctx.inTransaction(change);
  if (token === undefined) return refuse('NOT_FOUND');
  publishChange(ctx, 'tokens');
  return token;
}

/** Moves the code to the bin and disconnects its holders. Sessions and logs keep its value. Returns the bin id. */
export async function removeToken(
  ctx: AdminCtx,
  { id }: { id: string },
): Promise<{ bin: string } | Refusal<'NOT_FOUND'>> {
  const done = await ctx.inTransaction(
    async (tx): Promise<{ notifyNode(): void; bin: string } | Refusal<'NOT_FOUND'>> => {
      const token = await repo.deleteToken(tx, id);
      if (token === undefined) return refuse('NOT_FOUND');
      const binned = { kind: 'code', place: null, name: token.nome, payload: token } as const;
      const bin = await putInBin(tx, binned, ctx.now());
      return { notifyNode: await revoke(ctx, tx, token, 'token_deleted'), bin };
    },
  );
  if (isRefused(done)) return done;
  done.notifyNode();
  publishChange(ctx, ...REVOKED);
  return { bin: done.bin };
}

/**
 * Restores a deleted code with its remaining uses, in the caller's transaction. Visits that its deletion disconnected stay disconnected.
 */
export async function restoreCode(tx: Db, binned: BinRow): Promise<'back' | Refusal<'BIN_PLACE_TAKEN'>> {
  const token = describeBinnedCode(binned);
  return (await repo.insertToken(tx, token)) === undefined ? refuse('BIN_PLACE_TAKEN') : 'back';
}

export const describeBinnedCode = ({ payload }: BinRow) => binnedSchema.parse(JSON.parse(payload));

const binnedSchema = tokenSchema.extend({ normalized: z.string() });

/** Returns the function that notifies this node after the commit. */
async function revoke(
  ctx: AdminCtx,
  tx: Db,
  token: TokenRecord,
  reason: ForcedDisconnection['reason'],
): Promise<() => void> {
  const now = ctx.now();
  await log(tx, 'token_revoked', token, { reason }, now);
  return publishDisconnection(ctx, tx, await disconnectHolders(tx, token.id, reason, now));
}

async function log(
  tx: Db,
  event_type: EventType,
  token: TokenRecord,
  metadata: Record<string, string>,
  now: Date,
) {
  const what = { token_id: token.id, token_value: token.token, device_id: null, user_agent: null };
  await insertEvents(tx, [{ event_type, ...what, success: true, metadata }], now);
}
