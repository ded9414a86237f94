import { createHash, randomUUID } from 'node:crypto';
import { type Snapshot, tripOf, type Viaggio } from '../../../domain/content.ts';
import { REHEARSAL_PASS_MS } from '../../../domain/limits.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import type { ProbeResults } from '../../../domain/readiness-verdict.ts';
import { type AdminCtx, adminCalls, readAdmin } from '../../auth/actor.ts';
import { type PassClaim, signPass, verifyPass } from '../../auth/secrets.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/address.ts';
import { bind, calls, os, withGuard } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { findConfig } from '../config/config.ts';
import { addressesIn } from '../visit/media-access.ts';
import { type CheckedSnapshot, createSnapshot } from '../visit/snapshot.ts';
import {
  beginGeneration,
  closeGeneration,
  findPass,
  phoneVersions,
  type RehearsalPassRow,
  saveCompleted,
} from './rehearsal.repo.ts';

export const rehearsalCalls = calls(adminCalls.rehearsal, {
  pass: createRehearsalPass,
  openUntil: passExpiresAt,
  close: revokeRehearsalPass,
  read: bind(
    os.admin.rehearsal.read,
    withGuard(requireSpectator, async (ctx, _input, request) => {
      const { as } = ctx.spectator;
      // A pass would outlast the administrator's session here, and then report an ended rehearsal instead of requesting a sign-in.
      if (as === 'admin' && request.cookies.rehearsal !== null) request.clearPassCookie('rehearsal');
      const snapshot = await rehearsedContent(ctx, ctx.spectator);
      return isRefused(snapshot) ? snapshot : { as, snapshot, version: contentVersion(snapshot) };
    }),
  ),
  seen: bind(
    os.admin.rehearsal.seen,
    withGuard(requireSpectator, async (ctx, input, { user_agent }) => {
      await recordCompleted(ctx, ctx.spectator, { ...input, user_agent });
      return {};
    }),
  ),
  enter: bind(os.admin.rehearsal.enter, async (deps, { pass }, request) => {
    const valid = await verifyRehearsalPass(deps, pass);
    if (isRefused(valid)) return valid;
    // A signed-in administrator needs no pass.
    const isSignedIn = (await readAdmin(deps.auth, request.headers)) !== null;
    if (!isSignedIn) request.setPassCookie('rehearsal', pass, valid.ends);
    return { scadenza: valid.ends.toISOString() };
  }),
});

const brand = Symbol('Spectator');

/** Permission to watch the rehearsal and nothing else, for the administrator or the holder of a pass. Created only in this file. */
export type Spectator = { readonly as: 'admin' | 'guest'; readonly [brand]: true };

type RehearsalRequest = {
  deps: Deps;
  headers: Headers;
  cookies: { rehearsal: string | null };
};

/** Guards every call of the rehearsal. Ignores visitor cookies. */
export async function requireSpectator(
  { deps, headers, cookies }: RehearsalRequest,
  options?: { quietly: boolean },
): Promise<{ spectator: Spectator } | Refusal<'SIGN_IN_REQUIRED' | 'REHEARSAL_OVER'>> {
  if ((await readAdmin(deps.auth, headers, options)) !== null) return grant('admin');
  if (cookies.rehearsal === null) return refuse('SIGN_IN_REQUIRED');
  const accepted = await verifyRehearsalPass(deps, cookies.rehearsal);
  return isRefused(accepted) ? accepted : grant('guest');
}

/** Returns true if the guard still admits the same spectator. Rechecked during a transfer. */
export async function isStillSpectator(request: RehearsalRequest, { as }: Spectator): Promise<boolean> {
  const now = await requireSpectator(request, { quietly: true });
  return !isRefused(now) && now.spectator.as === as;
}

function grant(as: Spectator['as']): { spectator: Spectator } {
  return { spectator: { as, [brand]: true } };
}

type Unready = Refusal<'CONFIG_MISSING' | 'VIDEO_MISSING'>;

/** Returns the content of a visit that began now, or a refusal if none could begin. Writes nothing. */
export async function rehearsedContent(
  { db }: Deps,
  _spectator: Spectator,
): Promise<CheckedSnapshot | Unready> {
  const row = await findConfig(db);
  if (row === undefined) return refuse('CONFIG_MISSING');
  return row.video_url === null ? refuse('VIDEO_MISSING') : createSnapshot(db, row);
}

/** Returns true if the configuration points to this file now. A spectator may have no other. */
export async function isRehearsedMedia(deps: Deps, spectator: Spectator, mediaId: string): Promise<boolean> {
  const content = await rehearsedContent(deps, spectator);
  return !isRefused(content) && addressesIn(content).some((url) => mediaIdOf(url) === mediaId);
}

/** Returns the media id of a trip's current tickets, or null. */
export async function rehearsedTickets(
  deps: Deps,
  spectator: Spectator,
  viaggio: Viaggio,
): Promise<string | null> {
  const content: Snapshot | Unready = await rehearsedContent(deps, spectator);
  return isRefused(content) ? null : mediaIdOf(tripOf(content, viaggio).biglietti_url);
}

export type IssuedPass = { pass: string; scadenza: string; public_url: string | null };

/**
 * Returns the pass for other devices and the site address, if known. A valid pass is reused, unless `anew` is true.
 * A new pass is valid for an hour and revokes the one before.
 */
export async function createRehearsalPass(
  ctx: AdminCtx,
  { anew: renew = false }: { anew?: boolean | undefined },
): Promise<IssuedPass> {
  const { inTransaction, secret, now } = ctx;
  const claim = await inTransaction(async (tx) => {
    const valid = renew ? null : validClaim(await findPass(tx), now());
    if (valid !== null) return valid;
    const ends = new Date(now().getTime() + REHEARSAL_PASS_MS);
    return { ends, generation: await beginGeneration(tx, ends) };
  });
  return {
    pass: signPass(secret, 'rehearsal', claim),
    scadenza: claim.ends.toISOString(),
    public_url: siteAddress(ctx),
  };
}

/** Returns the time until which other devices may enter, or null if they may not. */
export async function passExpiresAt({ db, now }: AdminCtx): Promise<{ scadenza: string | null }> {
  const valid = validClaim(await findPass(db), now());
  return { scadenza: valid?.ends.toISOString() ?? null };
}

/** Revokes the pass: devices that entered with it are refused from now on. */
export async function revokeRehearsalPass({ inTransaction }: AdminCtx): Promise<Record<string, never>> {
  await inTransaction(closeGeneration);
  return {};
}

/** Returns the expiry of a presented pass. Refuses a forged, expired or revoked one. */
export async function verifyRehearsalPass(
  { db, secret, now }: Deps,
  pass: string,
): Promise<{ ends: Date } | Refusal<'REHEARSAL_OVER'>> {
  const claim = verifyPass(secret, 'rehearsal', pass, now());
  // A forged or expired pass needs no query.
  const valid = claim === null ? null : validClaim(await findPass(db), now());
  if (claim === null || claim.generation !== valid?.generation) return refuse('REHEARSAL_OVER');
  return { ends: claim.ends };
}

function validClaim(stored: RehearsalPassRow | undefined, now: Date): PassClaim | null {
  if (stored === undefined || stored.scadenza === null) return null;
  const ends = new Date(stored.scadenza);
  return ends > now ? { ends, generation: stored.generation } : null;
}

/** Returns a hash of the visitor's content. Excludes the film's light version and bitrate: the server derives them automatically. */
export function contentVersion({
  light_url: _light,
  video_bitrate: _bitrate,
  ...seen
}: CheckedSnapshot): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 32);
}

type Seen = { version: string; phone: boolean; user_agent: string };

/** Records that a rehearsal was watched to its end, with its time, device and content version. */
export async function recordCompleted(
  { inTransaction, now, live, log }: Deps,
  _spectator: Spectator,
  seen: Seen,
): Promise<void> {
  await inTransaction((tx) => saveCompleted(tx, { id: randomUUID(), at: now().toISOString(), ...seen }));
  publishChange({ live, log }, 'ready');
}

/** Returns 'seen' if the current content was watched to its end on a phone, 'old' if only earlier content was. */
export async function rehearsalStatus(db: Db): Promise<ProbeResults['rehearsal']> {
  const row = await findConfig(db);
  const versions = await phoneVersions(db);
  if (row === undefined || versions.length === 0) return 'never';
  return versions.includes(contentVersion(await createSnapshot(db, row))) ? 'seen' : 'old';
}
