import { finished } from 'node:stream/promises';
import { Metadata, Server, type Upload } from '@tus/server';
import { ERROR_STATUS, type ErrorCode } from '../../../contract/errors.ts';
import { DISK_SPACE, MINUTE_MS, UPLOAD_PIECE, UPLOADS } from '../../../domain/limits.ts';
import { largestUpload, SLOT_NAMES } from '../../../domain/media.ts';
import { isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import { isDiskFull } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import type { Endpoint } from '../../http/api.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded } from '../../http/request-context.ts';
import type { Transfers } from '../../live/transfers.ts';
import { ensureFreeSpace } from '../media/sweep.ts';
import { processUpload } from './arrivals.ts';
import { isUploadId, newUploadId } from './upload-folder.ts';
import { stopWork } from './uploads.ts';

/**
 * `/api/admin/uploads`: uploads by the tus protocol (creation, termination), for the administrator only.
 * Refusals are `{ codice, messaggio }` with the statuses that tus clients know:
 * 404 start again, 409 request the offset, 503 retry later.
 */
export function uploadEndpoints(deps: Deps, transfers: Transfers): Endpoint[] {
  const tus = createTusServer(deps);
  const answer = guarded(requireAdmin, async (c, ctx, request) => {
    const id = c.req.param('id');
    if (id !== undefined && !isUploadId(id)) return errorResponse('NOT_FOUND');
    // Incoming bytes must leave free space: visits write to this disk too.
    const coming = Number(c.req.header('content-length') ?? 0);
    const { folder } = ctx.uploads;
    const fillsDisk = c.req.method === 'PATCH' && ctx.storage.isOnDisk;
    // Large chunks over a slow network have no timeout.
    clearTimeout(c.env.scope.bodyTimer);
    if (fillsDisk && (await folder.freeBytes()) < DISK_SPACE.files + coming) {
      if (coming > UPLOAD_PIECE.defaultBytes) return errorResponse('STORAGE_FULL', { Connection: 'close' });
      // A client that is disconnected while it sends may never read the reply.
      await finished(c.env.incoming.resume(), { writable: false }).catch(() => undefined);
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

/** Converts the library's reply: same origin only, never cached, and our own refusals. */
async function toOwnReply(deps: Deps, answer: Response): Promise<Response> {
  const { status, headers, body } = answer;
  const connection = headers.get('connection');
  if (status >= 400)
    return errorResponse(await codeOf(deps, answer), connection === null ? {} : { Connection: connection });
  const own = [...headers].filter(([name]) => !name.startsWith('access-control-'));
  return new Response(body, { status, headers: { ...Object.fromEntries(own), 'cache-control': 'no-store' } });
}

/** The library throws on a full disk, because an announcement is written too. */
function diskFullReply(error: unknown): Response {
  if (isDiskFull(error)) return new Response('STORAGE_FULL', { status: 507 });
  throw error;
}

const BY_STATUS: Record<number, ErrorCode> = {
  404: 'NOT_FOUND',
  409: 'UPLOAD_CONFLICT',
  410: 'NOT_FOUND',
  413: 'FILE_TOO_LARGE',
};

/** The library's reply to a request that lost its lock to another one. */
const LOCK_LOST_MESSAGE = 'Request aborted due to lock acquired';

async function codeOf({ uploads }: Deps, answer: Response): Promise<ErrorCode> {
  const text = (await answer.text()).trim();
  if (Object.hasOwn(ERROR_STATUS, text)) return text as ErrorCode;
  if (text === LOCK_LOST_MESSAGE) return 'UPLOAD_CONFLICT';
  // 501 is an extension of the protocol that is not offered.
  if (answer.status < 500 || answer.status === 501) return BY_STATUS[answer.status] ?? 'BAD_INPUT';
  // The library hides the reason of a failed write; mostly it is a full disk.
  return (await uploads.folder.freeBytes()) < DISK_SPACE.files ? 'STORAGE_FULL' : 'UNAVAILABLE';
}

/** An error that the library passes through unchanged; `codeOf` reads it. */
const toLibraryError = (codice: ErrorCode) => ({ status_code: 400, body: codice });

/** tus server on the upload folder. The announcement is checked before the first byte, the bytes after the last one. */
function createTusServer(deps: Deps): Server {
  const { folder, turns } = deps.uploads;
  return new Server({
    path: '/api/admin/uploads',
    relativeLocation: true,
    datastore: folder.store,
    locker: turns,
    // A request that must leave has nothing to clean up: received bytes are written already.
    lockDrainTimeout: 1,
    allowedOrigins: () => false,
    namingFunction: newUploadId,
    async onIncomingRequest(request, id) {
      if (request.method === 'DELETE') await stopWork(deps.uploads, id);
    },
    async onUploadCreate(_request, upload) {
      const refused = await refusalOf(deps, upload);
      if (refused !== null) throw toLibraryError(refused);
      return {};
    },
    async onUploadFinish(_request, { id }) {
      processUpload(deps, id);
      return {};
    },
    onResponseError: (_request, error) => {
      // Errors of the library have a status. Any other one is logged.
      if (error instanceof Error && !('status_code' in error)) throw error;
      return undefined;
    },
  });
}

/** Returns the reason to refuse an announced upload, or null. */
async function refusalOf(deps: Deps, { size, metadata }: Upload): Promise<ErrorCode | null> {
  const slot = SLOT_NAMES.find((name) => name === metadata?.slot);
  if (slot === undefined || size === undefined || metadata === undefined) return 'BAD_INPUT';
  if (!metadata.filename) return 'FILE_REQUIRED';
  if (Metadata.stringify(metadata).length > LONGEST_METADATA) return 'BAD_INPUT';
  if (size === 0) return 'FILE_EMPTY';
  if (size > largestUpload(slot, deps.env.MAX_VIDEO_MB * 1024 ** 2)) return 'FILE_TOO_LARGE';
  return makeRoom(deps, size);
}

/** Maximum length: a name of 200 characters and a slot, with a margin. */
const LONGEST_METADATA = 4_096;

/** Time in ms without writes after which an upload may be deleted for a new one. */
const IDLE_MS = 10 * MINUTE_MS;

/**
 * Makes room for one more upload, or returns a refusal. If there are too many unfinished ones, deletes the one that was idle longest.
 * A file needs three times its size for a moment: received, converted and stored.
 */
async function makeRoom(deps: Deps, size: number): Promise<'STORAGE_FULL' | 'UPLOADS_BUSY' | null> {
  const { folder } = deps.uploads;
  const unfinished = (await folder.list()).filter(({ size: whole, offset }) => offset < whole);
  if (unfinished.length >= UPLOADS.unfinished) {
    const [oldest] = unfinished
      .filter(({ touched }) => Date.now() - touched > IDLE_MS)
      .toSorted((a, b) => a.touched - b.touched);
    if (oldest === undefined) return 'UPLOADS_BUSY';
    await folder.remove(oldest.id);
  }
  const stillToCome = unfinished.reduce((sum, { size: whole, offset }) => sum + whole - offset, 0);
  return (await ensureFreeSpace(deps, 3 * size + stillToCome + DISK_SPACE.low)) ? null : 'STORAGE_FULL';
}
