import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { ERROR_STATUS, type ErrorCode } from '../../../contract/errors.ts';
import { DISK_SPACE, UPLOAD_PIECE } from '../../../domain/limits.ts';
import { isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import { isDiskFull } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import type { Endpoint } from '../../http/api.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded } from '../../http/request-context.ts';
import type { Transfers } from '../../live/transfers.ts';
import { processUpload } from './arrivals.ts';
import { createTusServer } from './tus-server.ts';
import { isUploadId } from './upload-folder.ts';

/**
 * `/api/admin/uploads`: uploads by the tus protocol (creation, termination), for the administrator only.
 * Refusals are `{ codice, messaggio }` with the statuses that tus clients know:
 * 404 start again, 409 request the offset, 503 retry later.
 */
export function uploadEndpoints(deps: Deps, transfers: Transfers): Endpoint[] {
  const tus = createTusServer(deps, (id) => processUpload(deps, id));
  const answer = guarded(requireAdmin, async (c, ctx, request) => {
    const id = c.req.param('id');
    if (id !== undefined && !isUploadId(id)) return errorResponse('NOT_FOUND');
    // Incoming bytes must leave free space: visits write to this disk too.
    const coming = Number(c.req.header('content-length') ?? 0);
    const { folder } = ctx.uploads;
    const fillsDisk = c.req.method === 'PATCH' && folder.isOnDisk;
    // Large chunks over a slow network have no timeout.
    clearTimeout(c.env.scope.bodyTimer);
    if (fillsDisk && (await folder.freeBytes()) < DISK_SPACE.files + coming) {
      if (coming > UPLOAD_PIECE.defaultBytes) return errorResponse('STORAGE_FULL', { Connection: 'close' });
      await readRest(c.env.incoming);
      return errorResponse('STORAGE_FULL');
    }
    const release = transfers.hold(
      () => c.env.incoming.destroy(),
      () => isStillAdmin(request),
    );
    return toOwnReply(ctx, await tus.handleWeb(c.req.raw).catch(diskFullReply).finally(release));
  });
  const own = { body: 'own', answer } as const;
  const one = { ...own, path: '/admin/uploads/{id}', refusals: ['SIGN_IN_REQUIRED', 'NOT_FOUND'] } as const;
  return [
    {
      ...own,
      method: 'POST',
      path: '/admin/uploads',
      summary:
        'Begin an upload (tus 1.0.0): `Upload-Metadata` has `slot` and `filename`, `Location` its address',
      status: 201,
      refusals: ['SIGN_IN_REQUIRED'],
    },
    { ...one, method: 'HEAD', summary: 'How much of an upload has arrived, in `Upload-Offset`' },
    { ...one, method: 'PATCH', summary: 'The next bytes of an upload', status: 204 },
    { ...one, method: 'DELETE', summary: 'Cancel an upload', status: 204 },
  ];
}

/** A client that is disconnected while it sends may never read the reply. */
async function readRest(incoming: IncomingMessage): Promise<void> {
  incoming.resume();
  await finished(incoming, { writable: false }).catch(() => undefined);
}

/** Converts the library's reply: same origin only, never cached, and our own refusals. */
async function toOwnReply(deps: Deps, answer: Response): Promise<Response> {
  const headers = [...answer.headers].filter(([name]) => !name.startsWith('access-control-'));
  if (answer.status < 400)
    return new Response(answer.body, {
      status: answer.status,
      headers: { ...Object.fromEntries(headers), 'cache-control': 'no-store' },
    });
  const codice = await codeOf(deps, answer);
  const connection = answer.headers.get('connection');
  return errorResponse(codice, connection === null ? {} : { Connection: connection });
}

/** The library throws on a full disk, because an announcement is written too. */
function diskFullReply(error: unknown): Response {
  if (isDiskFull(error)) return new Response('STORAGE_FULL', { status: 507 });
  throw error;
}

const BY_STATUS: Record<number, ErrorCode> = {
  400: 'BAD_INPUT',
  403: 'BAD_INPUT',
  404: 'NOT_FOUND',
  409: 'UPLOAD_CONFLICT',
  410: 'NOT_FOUND',
  412: 'BAD_INPUT',
  413: 'FILE_TOO_LARGE',
  501: 'BAD_INPUT',
};

/** The library's reply to a request that lost its lock to another one. */
const LOCK_LOST_MESSAGE = 'Request aborted due to lock acquired';

async function codeOf({ uploads }: Deps, answer: Response): Promise<ErrorCode> {
  const text = (await answer.text()).trim();
  if (Object.hasOwn(ERROR_STATUS, text)) return text as ErrorCode;
  if (text === LOCK_LOST_MESSAGE) return 'UPLOAD_CONFLICT';
  const known = BY_STATUS[answer.status];
  if (known !== undefined) return known;
  // The library hides the reason of a failed write; mostly it is a full disk.
  return (await uploads.folder.freeBytes()) < DISK_SPACE.files ? 'STORAGE_FULL' : 'UNAVAILABLE';
}
