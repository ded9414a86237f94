import { z } from 'zod';
import { MEDIA_NAME, mediaFileAt } from '../../../domain/media.ts';
import {
  bestRendition,
  type PictureFormat,
  RENDITION_NAMES,
  type RenditionName,
} from '../../../domain/pictures.ts';
import { isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Endpoint } from '../../http/api.ts';
import { acceptedTypes } from '../../http/edge.ts';
import { errorResponse } from '../../http/refusals.ts';
import { guarded, type HttpContext, type RequestContext } from '../../http/request-context.ts';
import { fileHeaders, type ServedFile, sendFile, type TrackTransfer } from '../../http/send.ts';
import type { SessionConnections } from '../../live/connections.ts';
import type { IsStillAllowed, Transfers } from '../../live/transfers.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { isKeepsakeStillOpen, requireOpenKeepsake } from '../visit/keepsake.ts';
import { findPlanWithMedia } from '../visit/media-access.ts';
import type { VisitPlan } from '../visit/snapshot.ts';
import { findVisitHolder, unavailableRefusal } from '../visit/visitor.ts';
import { companionId, findFile, findMedia, findMedias, type Media, mediaKey, servedType } from './media.ts';
import { idsInBin } from './sweep.ts';

/** Grants access for another feature while `isStillAllowed` returns true; null if the feature does not know the caller. */
export type ExtraAccess = (
  context: RequestContext,
  mediaId: string,
) => Promise<{ isStillAllowed: IsStillAllowed } | Refusal<'NOT_FOUND'> | null>;

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
        const key = mediaKey(file);
        const { X_ACCEL_REDIRECT } = deps.env;
        // Without the setting or for an untrusted peer, this server sends the bytes, not nginx.
        const isHandedOver =
          X_ACCEL_REDIRECT !== undefined &&
          c.get('server').isTrustedProxy(c.env.incoming.socket.remoteAddress ?? '');
        const proxyPath = isHandedOver ? `${X_ACCEL_REDIRECT}${key}` : null;
        // The proxy would send its own error page.
        if (proxyPath !== null && (await deps.storage.size(key)) === null) throw new FileMissing(key);
        return await sendFile(c.env, { ...toServedFile(deps, file, reader), proxyPath }, reader.hold);
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
  { connections, transfers, guest }: MediaRouteDeps,
): Promise<MediaAccess | Refusal> {
  const { db } = context.deps;
  const holder = await findVisitHolder(context);
  const over: Refusal | null = holder === null ? refuse('NO_VISIT') : unavailableRefusal(holder);
  const evening = holder && over === null ? await findPlanWithMedia(db, holder, id) : null;
  if (holder !== null && evening !== null) {
    const hold: TrackTransfer = (cut) => {
      const releases = [connections.register(holder.row.id, cut), transfers.hold(cut)];
      return () => releases.forEach((each) => each());
    };
    return { evening, admin: false, hold };
  }
  const access = (isStillAllowed: IsStillAllowed, of: Partial<MediaAccess> = {}): MediaAccess => ({
    evening: null,
    admin: false,
    hold: (cut) => transfers.hold(cut, isStillAllowed),
    ...of,
  });
  // The device may have opened its keepsake.
  const opened = await requireOpenKeepsake(context);
  const kept = isRefused(opened) ? null : await findPlanWithMedia(db, opened.keepsake, id);
  if (kept !== null) return access(() => isKeepsakeStillOpen(context), { evening: kept });
  if (!isRefused(await requireAdmin(context))) return access(() => isStillAdmin(context), { admin: true });
  const granted = await guest(context, id);
  if (isRefused(granted)) return granted;
  return granted === null ? (over ?? refuse('NOT_FOUND')) : access(granted.isStillAllowed);
}

/** A visit retains the files of its snapshot even after they were deleted. */
async function fileFor(deps: Deps, reader: MediaAccess, id: string): Promise<Media | null> {
  if (reader.evening !== null) return findFileForVisit(deps, reader.evening, id);
  const media = await findFile(deps, id);
  if (media === null || media.deleted_at === null) return media;
  return reader.admin && (await idsInBin(deps.db)).has(id) ? media : null;
}

/** A requested width in pixels. */
const WIDTH = /^[1-9]\d{0,4}$/;

/** Returns the files to send, best first: the requested size and format of a picture, if it exists, then the original. */
async function fileCandidates(
  deps: Deps,
  c: HttpContext,
  reader: MediaAccess,
  media: Media,
): Promise<Media[]> {
  const w = c.req.query('w') ?? '';
  if (!WIDTH.test(w) || !isPicture(media)) return [media];
  const renditions = await renditionsFor(deps, reader.evening, media.id);
  // Every browser reads JPEG and PNG. Others must be named, because an old browser that sends `image/*` supports neither.
  const named = acceptedTypes(c.req.header('accept'));
  const isSupported = (format: PictureFormat) =>
    format === 'jpg' || format === 'png' || named.has(`image/${format}`);
  const name = bestRendition(renditions.keys(), Number(w), isSupported);
  const best = name === null ? undefined : renditions.get(name);
  return best === undefined ? [media] : [best, media];
}

const isPicture = ({ content_type }: Media) => content_type.startsWith('image/');

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

/** Makes `read` run once per file of an evening in progress. The results stay the same while a visit can refer to the file. */
function oncePerEvening<T>(read: (db: Db, id: string) => Promise<T>) {
  const known = new WeakMap<VisitPlan, Map<string, T>>();
  return async ({ db }: Pick<Deps, 'db'>, evening: VisitPlan | null, id: string): Promise<T> => {
    if (evening === null) return read(db, id);
    const results = known.get(evening) ?? new Map<string, T>();
    known.set(evening, results);
    const result = results.get(id) ?? (await read(db, id));
    if (result !== null) results.set(id, result);
    return result;
  };
}

/** Returns the row of a file of an evening. Deleting the file from the lists does not affect a visit in progress. */
const findFileForVisit = oncePerEvening(findMedia);

/** Returns the existing sizes and formats of a picture, without the original; they are stored and deleted with it. Null as evening: a reader without one. */
export const renditionsFor = oncePerEvening(async (db, id): Promise<ReadonlyMap<RenditionName, Media>> => {
  const names = new Map(RENDITION_NAMES.map((name) => [companionId(id, name), name]));
  const rows = await findMedias(db, [...names.keys()]);
  return new Map(
    rows.flatMap((row) => {
      const name = names.get(row.id);
      return name === undefined ? [] : [[name, row] as const];
    }),
  );
});
