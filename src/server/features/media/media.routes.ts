import { z } from 'zod';
import { MEDIA_NAME, mediaFileAt } from '../../../domain/media-address.ts';
import { bestRendition } from '../../../domain/renditions.ts';
import { isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import type { IsTrustedProxy } from '../../http/address.ts';
import type { Endpoint } from '../../http/api.ts';
import { contentDisposition } from '../../http/disposition.ts';
import { accelRedirectPath } from '../../http/hand-over.ts';
import type { RequestContext } from '../../http/orpc.ts';
import { errorResponse } from '../../http/refusals.ts';
import { requestContext } from '../../http/request-context.ts';
import type { Handler, HttpContext } from '../../http/scope.ts';
import { FILE_POLICY } from '../../http/security-headers.ts';
import { type ServedFile, sendFile, type TrackTransfer } from '../../http/send-file.ts';
import type { SessionConnections } from '../../live/connections.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused, type Refusal } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { findVisitHolder } from '../visit/guards.ts';
import { isKeepsakeStillOpen, requireOpenKeepsake } from '../visit/keepsake.ts';
import { findPlanWithMedia } from '../visit/media-access.ts';
import type { VisitPlan } from '../visit/snapshot.ts';
import { unavailableRefusal } from '../visit/visitor-session.ts';
import { findFile, findFileForVisit, type Media, mediaKey } from './media.service.ts';
import { idsInBin } from './needed.ts';
import { renditionsFor, requestedWidth, supportedFormats } from './renditions.service.ts';

/** Whom another feature lets have this file besides, for as long as `isStillAllowed` says so; null where it is nobody of theirs. */
export type ExtraAccess = (
  context: RequestContext,
  mediaId: string,
) => Promise<{ isStillAllowed: () => Promise<boolean> } | Refusal<'NOT_FOUND'> | null>;

/** Who may have a file: with the evening that shows it a visit, or a device that looks at its visit again; else the administrator, or a guest. */
type MediaAccess = {
  evening: VisitPlan | null;
  /** The administrator looks into the bin as well. */
  admin: boolean;
  /** Cuts what is under way as soon as that ends. */
  hold: TrackTransfer;
};
type MediaRouteDeps = { connections: SessionConnections; transfers: Transfers; guest: ExtraAccess };

/** A guest may have a file as well. An id that doesn't exist and one that isn't theirs are the same 404. */
export function mediaEndpoint(deps: Deps, trusts: IsTrustedProxy, held: MediaRouteDeps): Endpoint {
  const answer: Handler = async (c) => {
    const { id, extension } = mediaFileAt(c.req.path) ?? { id: '', extension: '' };
    const { context } = requestContext(deps, trusts, c);
    const reader = await readerOf(context, id, held);
    if (isRefused(reader)) return errorResponse(reader.refused);
    const media = await fileFor(deps, reader, id);
    if (media === null || media.extension !== extension) return errorResponse('NOT_FOUND');
    for (const file of await fileCandidates(deps, c, reader, media)) {
      try {
        const at = await handedOverAt(deps, trusts, c, file);
        return await sendFile(c.env, { ...toServedFile(deps, file, reader), at }, reader.hold);
      } catch (error) {
        if (!(error instanceof FileMissing)) throw error;
        const { request_id } = c.env.scope;
        deps.log.error({ request_id, media: file.id }, 'a file is missing from the storage');
      }
    }
    return errorResponse('NOT_FOUND');
  };
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
  const over: Refusal | null = holder === null ? { refused: 'NO_VISIT' } : unavailableRefusal(holder);
  const evening = holder && over === null ? await findPlanWithMedia(context.deps.db, holder, id) : null;
  if (holder !== null && evening !== null)
    return { evening, admin: false, hold: holdOfVisit(holder.row.id, connections, transfers) };
  const keeper = await keepsakeAccess(context, id, transfers);
  if (keeper !== null) return keeper;
  const letIn = await adminOrGuest(context, id, held);
  return letIn ?? over ?? { refused: 'NOT_FOUND' };
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

/** The device that has opened its keepsake, if it is one and the file is its evening's. */
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
    const letGo = [connections.register(session_id, cut), transfers.hold(cut)];
    return () => letGo.forEach((each) => each());
  };
}

/** A visit keeps what it began with, even when it has been deleted since. */
async function fileFor(deps: Deps, reader: MediaAccess, id: string): Promise<Media | null> {
  if (reader.evening !== null) return findFileForVisit(deps, reader.evening, id);
  const media = await findFile(deps, id);
  if (media === null || media.deleted_at === null) return media;
  return reader.admin && (await idsInBin(deps.db)).has(id) ? media : null;
}

/** What answers, best first: of a picture the size and format that is asked for, where there is one, then the file itself. */
async function fileCandidates(
  deps: Deps,
  c: HttpContext,
  reader: MediaAccess,
  media: Media,
): Promise<Media[]> {
  const width = requestedWidth(c.req.query('w'));
  if (width === null || !isPicture(media)) return [media];
  const there = await renditionsFor(deps, reader.evening, media.id);
  const name = bestRendition(there.keys(), width, supportedFormats(c.req.header('accept')));
  const best = name === null ? undefined : there.get(name);
  return best === undefined ? [media] : [best, media];
}

const isPicture = ({ content_type }: Media) => content_type.startsWith('image/');

/** Where a proxy that sends it by itself finds it, or null. Rejects with `FileMissing` when there is none: the proxy would answer in its own words. */
async function handedOverAt(
  { env, storage }: Deps,
  trusts: IsTrustedProxy,
  { env: { incoming } }: HttpContext,
  media: Media,
): Promise<string | null> {
  const at = accelRedirectPath(env, trusts, incoming, mediaKey(media));
  if (at !== null && (await storage.size(mediaKey(media))) === null) throw new FileMissing(mediaKey(media));
  return at;
}

/** The visitor is told no file name: it might tell what is to come. */
function toServedFile({ storage }: Deps, media: Media, { evening }: MediaAccess): ServedFile {
  const name = evening === null ? media.nome : mediaKey(media);
  return {
    size: media.size,
    etag: `"${media.sha256}"`,
    headers: {
      'Content-Type': servedType(media.content_type),
      'Content-Disposition': contentDisposition('inline', name),
      'Content-Security-Policy':
        media.content_type === 'application/pdf' ? FILE_POLICY.pdf : FILE_POLICY.other,
      'Cache-Control': 'private, no-store',
      Vary: isPicture(media) ? 'Accept, Cookie' : 'Cookie',
    },
    open: () => storage.open(mediaKey(media)),
  };
}

/** What the product shows, plays and reads out. Whatever else a row may say, a browser is told to make nothing of it. */
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
