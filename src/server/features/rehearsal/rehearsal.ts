import { createHash, randomUUID } from 'node:crypto';
import { type Snapshot, tripOf } from '../../../domain/content.ts';
import { REHEARSAL_PASS_MS } from '../../../domain/limits.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import type { ProbeResults } from '../../../domain/readiness-verdict.ts';
import { type AdminCtx, adminCalls, readAdmin } from '../../auth/actor.ts';
import { type PassClaim, signPass, verifyPass } from '../../auth/secrets.ts';
import type { Db, RehearsalsSeenTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { keepNewest } from '../../event-log/events.repo.ts';
import { siteAddress } from '../../http/address.ts';
import type { Endpoint } from '../../http/api.ts';
import { bind, calls, os, withGuard } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { findConfig } from '../config/config.ts';
import type { ExtraAccess } from '../media/serve.ts';
import { findFileAt, ticketsAt } from '../tickets/tickets.ts';
import { addressesIn } from '../visit/media-access.ts';
import { createSnapshot } from '../visit/snapshot.ts';

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
      const snapshot = await rehearsedContent(ctx);
      return isRefused(snapshot) ? snapshot : { as, snapshot, version: contentVersion(snapshot) };
    }),
  ),
  seen: bind(
    os.admin.rehearsal.seen,
    withGuard(requireSpectator, async (ctx, input, { user_agent }) => {
      await recordCompleted(ctx, { ...input, user_agent });
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
type Spectator = { readonly as: 'admin' | 'guest'; readonly [brand]: true };

/** First argument of what a spectator may do. */
export type SpectatorCtx = Deps & { spectator: Spectator };

type RehearsalRequest = {
  deps: Deps;
  headers: Headers;
  cookies: { rehearsal: string | null };
};

/** Guards every call of the rehearsal. Ignores visitor cookies. `quietly`: doesn't count as activity. */
export async function requireSpectator(
  { deps, headers, cookies }: RehearsalRequest,
  options?: { quietly: boolean },
): Promise<{ spectator: Spectator } | Refusal<'SIGN_IN_REQUIRED' | 'REHEARSAL_OVER'>> {
  if ((await readAdmin(deps.auth, headers, options)) !== null) return grant('admin');
  if (cookies.rehearsal === null) return refuse('SIGN_IN_REQUIRED');
  const accepted = await verifyRehearsalPass(deps, cookies.rehearsal);
  return isRefused(accepted) ? accepted : grant('guest');
}

const grant = (as: Spectator['as']) => ({ spectator: { as, [brand]: true } as const });

/** Returns true if the guard still admits the same spectator. Rechecked during a transfer. */
async function isStillSpectator(request: RehearsalRequest, { as }: Spectator): Promise<boolean> {
  const now = await requireSpectator(request, { quietly: true });
  return !isRefused(now) && now.spectator.as === as;
}

/** Returns the content of a visit that began now, or a refusal if none could begin. Writes nothing. */
export async function rehearsedContent({
  db,
}: SpectatorCtx): Promise<Snapshot | Refusal<'CONFIG_MISSING' | 'VIDEO_MISSING'>> {
  const row = await findConfig(db);
  if (row === undefined) return refuse('CONFIG_MISSING');
  return row.video_url === null ? refuse('VIDEO_MISSING') : createSnapshot(db, row);
}

/** Grants a spectator the files that a visit would show now, and no others. */
export const rehearsalMediaAccess: ExtraAccess = async (request, id) => {
  const granted = await requireSpectator(request);
  if (isRefused(granted)) return null;
  const content = await rehearsedContent({ ...request.deps, ...granted });
  const isShown = !isRefused(content) && addressesIn(content).some((url) => mediaIdOf(url) === id);
  return isShown
    ? { isStillAllowed: () => isStillSpectator(request, granted.spectator) }
    : refuse('NOT_FOUND');
};

/** Serves the tickets of the current configuration. Its own address keeps a visitor's cookie in the same browser out of it. */
export const rehearsalTicketsEndpoint = (transfers: Transfers): Endpoint =>
  ticketsAt('/rehearsal', (request) => requireSpectator(request), {
    summary: "A trip's tickets as a PDF, in the rehearsal",
    refusals: ['SIGN_IN_REQUIRED', 'REHEARSAL_OVER'],
    async find(ctx, viaggio) {
      const content = await rehearsedContent(ctx);
      if (isRefused(content)) return null;
      const media = await findFileAt(ctx, tripOf(content, viaggio).biglietti_url);
      return media?.deleted_at === null ? media : null;
    },
    hold: (abort, { spectator }, request) =>
      transfers.hold(abort, () => isStillSpectator(request, spectator)),
  });

/**
 * Returns the pass for other devices and the site address, if known. A valid pass is reused, unless `anew` is true.
 * A new pass is valid for an hour and revokes the one before.
 */
async function createRehearsalPass(
  ctx: AdminCtx,
  { anew = false }: { anew?: boolean | undefined },
): Promise<{ pass: string; scadenza: string; public_url: string | null }> {
  const claim = await ctx.inTransaction(async (tx) => {
    const valid = anew ? null : await findValidPass(tx, ctx.now());
    if (valid !== null) return valid;
    const ends = new Date(ctx.now().getTime() + REHEARSAL_PASS_MS);
    return { ends, generation: await beginGeneration(tx, ends) };
  });
  return {
    pass: signPass(ctx.secret, 'rehearsal', claim),
    scadenza: claim.ends.toISOString(),
    public_url: siteAddress(ctx),
  };
}

/** Returns the time until which other devices may enter, or null if they may not. */
async function passExpiresAt({ db, now }: AdminCtx): Promise<{ scadenza: string | null }> {
  const valid = await findValidPass(db, now());
  return { scadenza: valid?.ends.toISOString() ?? null };
}

/** Revokes the pass: devices that entered with it are refused from now on. */
async function revokeRehearsalPass({ inTransaction }: AdminCtx): Promise<Record<string, never>> {
  await inTransaction(closeGeneration);
  return {};
}

/** Returns the expiry of a presented pass. Refuses a forged, expired or revoked one. */
async function verifyRehearsalPass(
  { db, secret, now }: Deps,
  pass: string,
): Promise<{ ends: Date } | Refusal<'REHEARSAL_OVER'>> {
  const claim = verifyPass(secret, 'rehearsal', pass, now());
  // A forged or expired pass needs no query.
  const valid = claim && (await findValidPass(db, now()));
  return claim !== null && claim.generation === valid?.generation ? claim : refuse('REHEARSAL_OVER');
}

/** Returns the newest pass, or null if there is none, or it has expired or was revoked. */
export async function findValidPass(db: Db, now: Date): Promise<PassClaim | null> {
  const row = await db
    .selectFrom('rehearsal_pass')
    .select(['generation', 'scadenza'])
    .where('id', '=', 1)
    .where('scadenza', '>', now.toISOString())
    .executeTakeFirst();
  return row?.scadenza ? { generation: row.generation, ends: new Date(row.scadenza) } : null;
}

/** Begins the next generation and returns its number. Earlier passes become invalid. */
export async function beginGeneration(tx: Db, ends: Date): Promise<number> {
  const scadenza = ends.toISOString();
  const { generation } = await tx
    .insertInto('rehearsal_pass')
    .values({ id: 1, generation: 1, scadenza })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((set) => ({ generation: set('rehearsal_pass.generation', '+', 1), scadenza })),
    )
    .returning('generation')
    .executeTakeFirstOrThrow();
  return generation;
}

/** Revokes the newest pass. The next one has another number. */
export async function closeGeneration(tx: Db): Promise<void> {
  await tx.updateTable('rehearsal_pass').set({ scadenza: null }).where('id', '=', 1).execute();
}

/** Returns a hash of the visitor's content. Excludes the film's light version and bitrate: the server derives them automatically. */
export function contentVersion({ light_url: _light, video_bitrate: _bitrate, ...seen }: Snapshot): string {
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 32);
}

/** Records that a rehearsal was watched to its end, with its time, device and content version. */
export async function recordCompleted(
  ctx: SpectatorCtx,
  seen: { version: string; phone: boolean; user_agent: string },
): Promise<void> {
  const row = { id: randomUUID(), at: ctx.now().toISOString(), ...seen };
  await ctx.inTransaction((tx) => saveCompleted(tx, row));
  publishChange(ctx, 'ready');
}

/** Maximum number of stored completed rehearsals, newest first. */
const MAX_COMPLETED = 20;

export async function saveCompleted(tx: Db, row: RehearsalsSeenTable): Promise<void> {
  await tx.insertInto('rehearsals_seen').values(row).execute();
  await keepNewest(tx, 'rehearsals_seen', { id: row.id, by: 'at', maxRows: MAX_COMPLETED });
}

/** Returns 'seen' if the current content was watched to its end on a phone, 'old' if only earlier content was. */
export async function rehearsalStatus(db: Db): Promise<ProbeResults['rehearsal']> {
  const row = await findConfig(db);
  const versions = await phoneVersions(db);
  if (row === undefined || versions.length === 0) return 'never';
  return versions.includes(contentVersion(await createSnapshot(db, row))) ? 'seen' : 'old';
}

/** Returns the content versions that were watched to their end on a phone. */
export async function phoneVersions(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('rehearsals_seen').select('version').where('phone', '=', true).execute();
  return rows.map(({ version }) => version);
}
