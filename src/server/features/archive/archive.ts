import { PassThrough, type Readable } from 'node:stream';
import { isShortPassphrase } from '../../../domain/access.ts';
import { ARCHIVE, PASSPHRASE_LENGTH } from '../../../domain/limits.ts';
import { type AdminCtx, adminCalls, isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import { securityEvent } from '../../auth/security-events.ts';
import { openUnmigrated } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { insertEvents } from '../../event-log/event-log.repo.ts';
import type { Endpoint } from '../../http/api.ts';
import { calls, os } from '../../http/calls.ts';
import { ClientDisconnected } from '../../http/json-body.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded, type Handler } from '../../http/request-context.ts';
import { fileHeaders, sendDownload } from '../../http/send.ts';
import { publishChange } from '../../live/bus.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { countArchived } from './archive.repo.ts';
import { readSecrets, writeSealed } from './archive-file.ts';
import { beginRestore, receiveArchive, runRestore } from './restore.service.ts';
import { downloadTicket, readDownloadTicket } from './ticket.ts';

export const archiveCalls = calls(adminCalls.archive, { look: archiveSummary, prepare: prepareDownload });

/** Available before the first registration; the service checks the permission. */
export const restoreCalls = calls(os.admin.restore, { begin: beginRestore, carryOut: runRestore });

/** The requests that are not JSON: an archive's download and its upload. */
export function archiveEndpoints(transfers: Transfers): Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/admin/archive/{ticket}',
      summary:
        'All data as a ZIP file, encrypted in the age format, for a minute after `POST /admin/archive`',
      responseType: 'application/octet-stream',
      refusals: ['SIGN_IN_REQUIRED', 'ARCHIVE_LINK_OVER'],
      answer: downloadHandler(transfers),
    },
    {
      method: 'PUT',
      path: '/admin/restore/{id}',
      body: 'own',
      summary: 'The bytes of the archive of `POST /admin/restore`, before anybody has registered',
      status: 204,
      operation: { requestBody: { content: { 'application/octet-stream': {} } } },
      refusals: ['REGISTRATION_CLOSED', 'ARCHIVE_GONE', 'ARCHIVE_TOO_LARGE', 'STORAGE_FULL'],
      answer: uploadHandler(transfers),
    },
  ];
}

/** Concurrent downloads per process; each keeps every file open. */
const CONCURRENCY = 2;

function downloadHandler(transfers: Transfers): Handler {
  let underWay = 0;
  return guarded(requireAdmin, async (c, ctx, request) => {
    const passphrase = readDownloadTicket(ctx.secret, c.req.param('ticket') ?? '', ctx.now());
    if (passphrase === null) return errorResponse('ARCHIVE_LINK_OVER');
    if (c.req.method !== 'HEAD' && underWay >= CONCURRENCY) return errorResponse('UNAVAILABLE');
    const name = `sorpresa-${ctx.now().toISOString().slice(0, 10)}.zip.age`;
    return sendDownload(c, {
      headers: fileHeaders({ type: 'application/octet-stream', name }),
      open: () => {
        underWay += 1;
        return archiveStream(ctx, passphrase).catch((error: unknown) => {
          underWay -= 1;
          throw error;
        });
      },
      hold: (cut) => transfers.hold(cut, () => isStillAdmin(request)),
      failure: 'an archive broke off',
      onEnd(isComplete) {
        underWay -= 1;
        if (!isComplete) return;
        logDownload(ctx, request.user_agent).catch((error: unknown) => {
          const { request_id } = request;
          ctx.log.error({ request_id, err: error }, 'the event of a download could not be written');
        });
      },
    });
  });
}

function uploadHandler(transfers: Transfers): Handler {
  return async (c) => {
    const { incoming, scope } = c.env;
    const { deps } = c.get('server');
    // An archive has no time limit.
    clearTimeout(scope.bodyTimer);
    const release = transfers.hold(() => incoming.destroy());
    const received = await receiveArchive(deps, c.req.param('id') ?? '', incoming)
      .catch((error: unknown) => {
        throw incoming.complete ? error : new ClientDisconnected();
      })
      .finally(release);
    // A refused body may be unread, so the connection can't be reused.
    if (isRefused(received)) return errorResponse(received.refused, { Connection: 'close' });
    return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
  };
}

/** Returns the size of an archive and the time of the last download. */
export function archiveSummary({ db }: AdminCtx) {
  return countArchived(db);
}

/**
 * Returns a path that is valid for a minute. The browser downloads it without holding it in memory, but can't send a
 * passphrase there.
 */
export function prepareDownload(
  { secret, now }: AdminCtx,
  { passphrase }: { passphrase: string },
): { path: string } | Refusal<'PASSPHRASE_SHORT' | 'PASSPHRASE_LONG'> {
  if (isShortPassphrase(passphrase)) return refuse('PASSPHRASE_SHORT');
  if ([...passphrase].length > PASSPHRASE_LENGTH.max) return refuse('PASSPHRASE_LONG');
  const ends = new Date(now().getTime() + ARCHIVE.downloadStartMs);
  return { path: `/api/admin/archive/${downloadTicket(secret, passphrase, ends)}` };
}

/**
 * Streams the encrypted archive while it is written, at the reader's pace. Reads over a separate connection, so it
 * blocks no request. An error destroys the stream.
 */
export async function archiveStream({ env, storage, now }: AdminCtx, passphrase: string): Promise<Readable> {
  const secrets = await readSecrets(env);
  const database = await openUnmigrated(env);
  const out = new PassThrough();
  writeSealed({ ...database, storage, secrets }, out, { passphrase, now: now() })
    .catch((error: Error) => out.destroy(error))
    .finally(() => database.close());
  return out;
}

/** Logs that a copy of all data was downloaded, as a security event. */
export async function logDownload(deps: Deps, user_agent: string): Promise<void> {
  const event = { ...securityEvent('archive_downloaded', {}), user_agent };
  await deps.inTransaction((tx) => insertEvents(tx, [event], deps.now()));
  publishChange(deps, 'logs');
}
