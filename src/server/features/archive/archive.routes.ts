import { isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import type { Deps } from '../../deps.ts';
import type { Endpoint } from '../../http/api.ts';
import { calls, os } from '../../http/calls.ts';
import { contentDisposition } from '../../http/disposition.ts';
import { ClientDisconnected } from '../../http/json-body.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded } from '../../http/request-context.ts';
import type { Handler } from '../../http/scope.ts';
import { FILE_POLICY } from '../../http/security-headers.ts';
import { headOnly, isClientDisconnect, sendStream } from '../../http/send.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused } from '../../refused.ts';
import { archiveStream, archiveSummary, logDownload, prepareDownload } from './download.ts';
import { beginRestore, receiveArchive, runRestore } from './restore.service.ts';
import { readDownloadTicket } from './ticket.ts';

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
    const head = { status: 200, headers: headers(ctx.now()) };
    if (c.req.method === 'HEAD') return headOnly(head);
    if (underWay >= CONCURRENCY) return errorResponse('UNAVAILABLE');
    underWay += 1;
    const archive = await archiveStream(ctx, passphrase).catch((error: unknown) => {
      underWay -= 1;
      throw error;
    });
    const release = transfers.hold(
      () => c.env.outgoing.destroy(),
      () => isStillAdmin(request),
    );
    return sendStream(c.env.outgoing, head, archive, (error) => {
      underWay -= 1;
      release();
      // A client that left before the first byte received nothing, so there is nothing to log.
      if (error !== null || c.env.outgoing.writableFinished) void logResult(ctx, request, error);
    });
  });
}

type DownloadRequest = { request_id: string; user_agent: string };

/** Logs a finished download or its error. Logs nothing if the client disconnected. */
async function logResult(
  deps: Deps,
  { request_id, user_agent }: DownloadRequest,
  error: Error | null,
): Promise<void> {
  try {
    if (error === null) await logDownload(deps, user_agent);
    else if (!isClientDisconnect(error)) throw error;
  } catch (failure) {
    deps.log.error({ request_id, err: failure }, 'an archive broke off, or its event could not be written');
  }
}

const headers = (now: Date) => ({
  'Content-Type': 'application/octet-stream',
  'Content-Disposition': contentDisposition(
    'attachment',
    `sorpresa-${now.toISOString().slice(0, 10)}.zip.age`,
  ),
  'Content-Security-Policy': FILE_POLICY.other,
  'Cache-Control': 'private, no-store',
  Vary: 'Cookie',
});

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
