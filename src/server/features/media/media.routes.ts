import { z } from 'zod';
import { MEDIA_NAME, mediaFileAt } from '../../../domain/media.ts';
import { bestRendition } from '../../../domain/pictures.ts';
import { isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import type { Endpoint } from '../../http/api.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded, type HttpContext, type RequestContext } from '../../http/request-context.ts';
import {
  accelRedirectPath,
  fileHeaders,
  type ServedFile,
  sendFile,
  type TrackTransfer,
} from '../../http/send.ts';
import type { SessionConnections } from '../../live/connections.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { findVisitHolder } from '../visit/guards.ts';
import { isKeepsakeStillOpen, requireOpenKeepsake } from '../visit/keepsake.ts';
import { findPlanWithMedia } from '../visit/media-access.ts';
import type { VisitPlan } from '../visit/snapshot.ts';
import { unavailableRefusal } from '../visit/visitor-session.ts';
import { findFile, findFileForVisit, type Media, mediaKey } from './media.service.ts';
import { idsInBin } from './media.sweeper.ts';
import { renditionsFor, requestedWidth, supportedFormats } from './renditions.service.ts';

/** Grants access for another feature while `isStillAllowed` returns true; null if the feature does not know the caller. */
export type ExtraAccess = (
  context: RequestContext,
  mediaId: string,
) => Promise<{ isStillAllowed: () => Promise<boolean> } | Refusal<'NOT_FOUND'> | null>;

/** Access to a file: `evening` is the plan of a visit or of an open keepsake; null for the administrator and guests. */
type MediaAccess = {
  evening: VisitPlan | null;
  /** The administrator may also read files in the bin. */
  admin: boolean;
  /** Registers a transfer; it is cut as soon as the access ends. */
  hold: TrackTransfer;
};
type MediaRouteDeps = { connections: SessionConnections; transfers: Transfers; guest: ExtraAccess };

/** Serves a file, also to guests of another feature. Returns the same 404 for an unknown id and for a forbidden one. */
export function mediaEndpoint(held: MediaRouteDeps): Endpoint {
  const requested = (c: HttpContext) => mediaFileAt(c.req.path) ?? { id: '', extension: '' };
  const requireAccess = async (request: RequestContext, c: HttpContext) => {
    const reader = await readerOf(request, requested(c).id, held);
    return isRefused(reader) ? reader : { reader };
  };
  const answer = guarded(requireAccess, async (c, { reader, ...deps }) => {
    const { id, extension } = requested(c);
    const media = await fileFor(deps, reader, id);
    if (media === null || media.extension !== extension) return errorResponse('NOT_FOUND');
    for (const file of await fileCandidates(deps, c, reader, media)) {
      try {
        const at = await handedOverAt(deps, c, file);
        return await sendFile(c.env, { ...toServedFile(deps, file, reader), proxyPath: at }, reader.hold);
      } catch (error) {
        if (!(error instanceof FileMissing)) throw error;
        const { request_id } = c.env.scope;
        deps.log.error({ request_id, media: file.id }, 'a file is missing from the storage');
      }
    }
    return errorResponse('NOT_FOUND');
  });
  return {
    method: 'GET',
    path: '/media/{file}',
    summary: 'A file, to the administrator, to a living visit that has reached it, or to an open keepsake',
    input: z.object({
      file: z.string().regex(MEDIA_NAME),
      w: z.int().optional().describe('Target width of a picture, in pixels'),
    }),
    responseType: 'application/octet-stream',
    operation: {
      description:
        'Takes single byte ranges, If-Range and If-None-Match; `Accept` chooses the format of a picture.',
      security: [{ visit: [] }, { keepsake: [] }, { administrator: [] }],
      responses: {
        206: { description: 'A part of it' },
        304: { description: 'Not modified' },
        416: { description: 'The range starts past the end' },
      },
    },
    refusals: ['NO_VISIT', 'VISIT_ENDED', 'DISCONNECTED', 'NOT_FOUND'],
    answer,
  };
}

async function readerOf(
  context: RequestContext,
  id: string,
  held: MediaRouteDeps,
): Promise<MediaAccess | Refusal> {
  const { connections, transfers } = held;
  const holder = await findVisitHolder(context);
  const over: Refusal | null = holder === null ? refuse('NO_VISIT') : unavailableRefusal(holder);
  const evening = holder && over === null ? await findPlanWithMedia(context.deps.db, holder, id) : null;
  if (holder !== null && evening !== null)
    return { evening, admin: false, hold: holdOfVisit(holder.row.id, connections, transfers) };
  const keepsakeReader = await keepsakeAccess(context, id, transfers);
  if (keepsakeReader !== null) return keepsakeReader;
  const granted = await adminOrGuest(context, id, held);
  return granted ?? over ?? refuse('NOT_FOUND');
}

async function adminOrGuest(
  context: RequestContext,
  id: string,
  { transfers, guest }: MediaRouteDeps,
): Promise<MediaAccess | Refusal | null> {
  if (!isRefused(await requireAdmin(context)))
    return {
      evening: null,
      admin: true,
      hold: (cut) => transfers.hold(cut, () => isStillAdmin(context)),
    };
  const found = await guest(context, id);
  if (found === null || isRefused(found)) return found;
  return { evening: null, admin: false, hold: (cut) => transfers.hold(cut, found.isStillAllowed) };
}

/** Returns access if the device has opened its keepsake and the file belongs to its evening; otherwise null. */
async function keepsakeAccess(
  context: RequestContext,
  id: string,
  transfers: Transfers,
): Promise<MediaAccess | null> {
  const found = await requireOpenKeepsake(context);
  const evening = isRefused(found) ? null : await findPlanWithMedia(context.deps.db, found.keepsake, id);
  return (
    evening && {
      evening,
      admin: false,
      hold: (cut) => transfers.hold(cut, () => isKeepsakeStillOpen(context)),
    }
  );
}

function holdOfVisit(
  session_id: string,
  connections: SessionConnections,
  transfers: Transfers,
): TrackTransfer {
  return (cut) => {
    const releases = [connections.register(session_id, cut), transfers.hold(cut)];
    return () => releases.forEach((each) => each());
  };
}

/** A visit retains the files of its snapshot even after they were deleted. */
async function fileFor(deps: Deps, reader: MediaAccess, id: string): Promise<Media | null> {
  if (reader.evening !== null) return findFileForVisit(deps, reader.evening, id);
  const media = await findFile(deps, id);
  if (media === null || media.deleted_at === null) return media;
  return reader.admin && (await idsInBin(deps.db)).has(id) ? media : null;
}

/** Returns the files to send, best first: the requested size and format of a picture, if it exists, then the original. */
async function fileCandidates(
  deps: Deps,
  c: HttpContext,
  reader: MediaAccess,
  media: Media,
): Promise<Media[]> {
  const width = requestedWidth(c.req.query('w'));
  if (width === null || !isPicture(media)) return [media];
  const renditions = await renditionsFor(deps, reader.evening, media.id);
  const name = bestRendition(renditions.keys(), width, supportedFormats(c.req.header('accept')));
  const best = name === null ? undefined : renditions.get(name);
  return best === undefined ? [media] : [best, media];
}

const isPicture = ({ content_type }: Media) => content_type.startsWith('image/');

/**
 * Returns the path at which a proxy reads the file, or null. Rejects with `FileMissing` if it does not exist, because
 * the proxy would send its own error page.
 */
async function handedOverAt({ env, storage }: Deps, c: HttpContext, media: Media): Promise<string | null> {
  const { isTrustedProxy } = c.get('server');
  const at = accelRedirectPath(env, isTrustedProxy, c.env.incoming, mediaKey(media));
  if (at !== null && (await storage.size(mediaKey(media))) === null) throw new FileMissing(mediaKey(media));
  return at;
}

/** The visitor receives no file name, because it could reveal a later scene. */
function toServedFile({ storage }: Deps, media: Media, { evening }: MediaAccess): ServedFile {
  const name = evening === null ? media.nome : mediaKey(media);
  return {
    size: media.size,
    etag: `"${media.sha256}"`,
    headers: fileHeaders({
      type: servedType(media.content_type),
      name,
      as: 'inline',
      vary: isPicture(media) ? 'Accept, Cookie' : 'Cookie',
    }),
    open: () => storage.open(mediaKey(media)),
  };
}

/**
 * Types that the product displays, plays or reads. Any other stored type is sent as unknown data, so that browsers
 * don't interpret it.
 */
const SERVED = new Set([
  'video/mp4',
  'image/jpeg',
  'image/png',
  'image/avif',
  'image/webp',
  'application/pdf',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/wav',
  'audio/flac',
  'text/vtt',
]);

const servedType = (stored: string) => (SERVED.has(stored) ? stored : 'application/octet-stream');
