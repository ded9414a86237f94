import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type TokenRecord, tokenSchema } from '../../../contract/records.ts';
import { isBlank } from '../../../domain/blank.ts';
import { newCode, normalizeCode } from '../../../domain/codes.ts';
import { extendedExpiry } from '../../../domain/expiry.ts';
import { MAX_ACCESSES, TOKEN_DEFAULTS } from '../../../domain/limits.ts';
import { DAY_MS } from '../../../domain/time.ts';
import type { AdminActor } from '../../auth/actor.ts';
import { type BinRow, putInBin } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { type EventType, insertEvents } from '../../event-log/event-log.repo.ts';
import { publishChange } from '../../live/announce.ts';
import { isRefused, type Refusal } from '../../refused.ts';
import { disconnectHolders, type ForcedDisconnection, publishDisconnection } from './disconnect.ts';
import * as repo from './tokens.repo.ts';

/** Codes drawn before giving up: with eight random signs even the second is a wonder. */
const DRAWS = 10;

type TokenDeps = Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>;

export async function listTokens({ db }: Pick<Deps, 'db'>, _actor: AdminActor): Promise<TokenRecord[]> {
  return repo.listTokens(db);
}

/** `giorni`: days until it expires, 30 when left out, null for never (spec 5). */
export type NewToken = { nome: string; max_accessi?: number | undefined; giorni?: number | null | undefined };

/**
 * Makes a code.
 * @param random an integer in [0, max) from a cryptographic source
 */
export async function createToken(
  deps: TokenDeps,
  actor: AdminActor,
  { nome, max_accessi = TOKEN_DEFAULTS.max_accessi, giorni = TOKEN_DEFAULTS.days }: NewToken,
  random: (max: number) => number = (max) => randomInt(max),
): Promise<TokenRecord | Refusal<'NAME_REQUIRED'>> {
  const name = nome.trim();
  if (isBlank(nome)) return { refused: 'NAME_REQUIRED' };
  const made = await deps.inTransaction(async (tx) => {
    const now = deps.now();
    const scadenza = giorni === null ? null : new Date(now.getTime() + giorni * DAY_MS).toISOString();
    const fields = {
      nome: name,
      max_accessi,
      scadenza,
      created_by: actor.user_id,
      created_at: now.toISOString(),
    };
    const token = await drawToken(tx, fields, random);
    await log(tx, 'token_created', token, {}, now);
    return token;
  });
  publishChange(deps, 'tokens', 'logs');
  return made;
}

type Fields = Pick<TokenRecord, 'nome' | 'max_accessi' | 'scadenza' | 'created_by' | 'created_at'>;

/** Draws until the code is a new one. */
async function drawToken(tx: Db, fields: Fields, random: (max: number) => number): Promise<TokenRecord> {
  for (let draw = 0; draw < DRAWS; draw += 1) {
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
  throw new Error(`${DRAWS} codes in a row existed already`);
}

/** Revokes (every holder is disconnected at once) or restores. What is so already stays so and is not logged again. */
export async function setTokenActive(
  deps: TokenDeps,
  _actor: AdminActor,
  { id, attivo }: { id: string; attivo: boolean },
): Promise<TokenRecord | Refusal<'NOT_FOUND'>> {
  const done = await deps.inTransaction(async (tx): Promise<TokenChange | Refusal<'NOT_FOUND'>> => {
    const before = await repo.lockToken(tx, id);
    if (before === undefined) return { refused: 'NOT_FOUND' };
    if (before.attivo === attivo) return { token: before, tellHere: () => {} };
    const token = { ...before, attivo };
    await repo.setActive(tx, id, attivo);
    return { token, tellHere: attivo ? () => {} : await revoke(deps, tx, token, 'token_revoked') };
  });
  if (isRefused(done)) return done;
  done.tellHere();
  publishChange(deps, ...REVOKED);
  return done.token;
}

/** What a revocation changes. */
const REVOKED = ['tokens', 'sessions', 'logs'] as const;

/** `tellHere`: what is to be told on this node after the commit. */
type TokenChange = { token: TokenRecord; tellHere(): void };

/**
 * «+1 accesso» (decision 7): nothing is added when `max_accessi`, the number that was seen, is no longer the code's. So a request that is
 * repeated counts once.
 */
export async function addAccess(
  deps: TokenDeps,
  _actor: AdminActor,
  { id, max_accessi }: { id: string; max_accessi: number },
): Promise<TokenRecord | Refusal<'NOT_FOUND'>> {
  return changed(deps, async (tx) => {
    await repo.addAccess(tx, id, max_accessi, MAX_ACCESSES);
    return repo.findToken(tx, id);
  });
}

/** «Proroga» (decision 7): `giorni` more, unless `scadenza`, the expiry that was seen, is no longer the code's. */
export async function extendToken(
  deps: TokenDeps,
  _actor: AdminActor,
  { id, giorni, scadenza: seen }: { id: string; giorni: number; scadenza: string | null },
): Promise<TokenRecord | Refusal<'NOT_FOUND'>> {
  return changed(deps, async (tx) => {
    const before = await repo.lockToken(tx, id);
    if (before === undefined || before.scadenza !== seen) return before;
    const scadenza = extendedExpiry(seen, giorni, deps.now());
    if (scadenza !== null) await repo.setExpiry(tx, id, scadenza);
    return { ...before, scadenza };
  });
}

/** The code after its change, told to the pages that show it. */
async function changed(
  deps: TokenDeps,
  change: (tx: Db) => Promise<TokenRecord | undefined>,
): Promise<TokenRecord | Refusal<'NOT_FOUND'>> {
  const token = await deps.inTransaction(change);
  if (token === undefined) return { refused: 'NOT_FOUND' };
  publishChange(deps, 'tokens');
  return token;
}

/** Deletes the code and disconnects its holders; sessions and logs keep its value. It lies in the bin under the id that is told. */
export async function removeToken(
  deps: TokenDeps,
  _actor: AdminActor,
  { id }: { id: string },
): Promise<{ bin: string } | Refusal<'NOT_FOUND'>> {
  const done = await deps.inTransaction(
    async (tx): Promise<{ tellHere(): void; bin: string } | Refusal<'NOT_FOUND'>> => {
      const token = await repo.deleteToken(tx, id);
      if (token === undefined) return { refused: 'NOT_FOUND' };
      const binned = { kind: 'code', place: null, name: token.nome, payload: token } as const;
      const bin = await putInBin(tx, binned, deps.now());
      return { tellHere: await revoke(deps, tx, token, 'token_deleted'), bin };
    },
  );
  if (isRefused(done)) return done;
  done.tellHere();
  publishChange(deps, ...REVOKED);
  return { bin: done.bin };
}

/**
 * Puts a deleted code back, in the caller's transaction: it lets in as it did, as often as is left of it. The visits that its deletion disconnected don't come back.
 */
export async function restoreCode(tx: Db, binned: BinRow): Promise<'back' | Refusal<'BIN_PLACE_TAKEN'>> {
  const token = describeBinnedCode(binned);
  return (await repo.insertToken(tx, token)) === undefined ? { refused: 'BIN_PLACE_TAKEN' } : 'back';
}

/** The code that lies there. */
export const describeBinnedCode = ({ payload }: BinRow) => binnedSchema.parse(JSON.parse(payload));

const binnedSchema = tokenSchema.extend({ normalized: z.string() });

/** Returns what is to be told on this node after the commit. */
async function revoke(
  deps: TokenDeps,
  tx: Db,
  token: TokenRecord,
  reason: ForcedDisconnection['reason'],
): Promise<() => void> {
  const now = deps.now();
  await log(tx, 'token_revoked', token, { reason }, now);
  return publishDisconnection(deps, tx, await disconnectHolders(tx, token.id, reason, now));
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
