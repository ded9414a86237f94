import { mediaFileAt } from '../../../domain/media-address.ts';
import type { Deps } from '../../deps.ts';
import type { Trusts } from '../../http/address.ts';
import type { Handler } from '../../http/contract-calls.ts';
import { disposition } from '../../http/disposition.ts';
import type { RequestContext } from '../../http/orpc.ts';
import { refuse } from '../../http/refusals.ts';
import { requestContext } from '../../http/request-context.ts';
import { FILE_POLICY } from '../../http/security-headers.ts';
import { type Hold, type OfferedFile, sendFile } from '../../http/send-file.ts';
import type { Connections } from '../../live/connections.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { isRehearsedMedia } from '../rehearsal/rehearsal.service.ts';
import { isStillSpectator, requireSpectator, type Spectator } from '../rehearsal/spectator.ts';
import { visitHolder } from '../visit/guards.ts';
import { mayHolderReadMedia } from '../visit/media-access.ts';
import { isOver } from '../visit/visitor-session.ts';
import { fileOf, type Media, mediaKey } from './media.service.ts';

/** Whose request it is: a visit's, or that of the administrator or of who watches the rehearsal. */
type Reader = { session_id: string } | { session_id: null; spectator: Spectator };
type Held = { connections: Connections; transfers: Transfers };

/**
 * `GET /media/{id}.{extension}`: to a living visit that has reached it, to the administrator, or to who watches the rehearsal of an evening
 * that shows it. An id that doesn't exist and one that isn't theirs are the same 404.
 */
export function mediaHandler(deps: Deps, trusts: Trusts, held: Held): Handler {
  return async (c) => {
    const { id, extension } = mediaFileAt(new URL(c.req.url).pathname) ?? { id: '', extension: '' };
    const { context } = requestContext(deps, trusts, c);
    const reader = await readerOf(context, id);
    if (isRefused(reader)) return refuse(reader.refused);
    const media = await fileOf(deps, id);
    if (media === null || media.extension !== extension || !isThereFor(reader, media))
      return refuse('NOT_FOUND');
    try {
      return await sendFile(c.env, offered(deps, media, reader), holdFor(reader, context, held));
    } catch (error) {
      if (!(error instanceof FileMissing)) throw error;
      deps.log.error({ request_id: c.env.scope.request_id, media: id }, 'a file is missing from the storage');
      return refuse('NOT_FOUND');
    }
  };
}

async function readerOf(context: RequestContext, id: string): Promise<Reader | Refused> {
  const holder = await visitHolder(context);
  const over: Refused | null = holder === null ? { refused: 'NO_VISIT' } : isOver(holder);
  if (holder !== null && over === null && mayHolderReadMedia(holder, id))
    return { session_id: holder.row.id };
  const spectator = await requireSpectator(context);
  if (isRefused(spectator)) return over ?? { refused: 'NOT_FOUND' };
  const allowed = spectator.as === 'admin' || (await isRehearsedMedia(context.deps, spectator, id));
  return allowed ? { session_id: null, spectator } : { refused: 'NOT_FOUND' };
}

/** A visit keeps what it began with, even when it has been deleted since. */
function isThereFor({ session_id }: Reader, { deleted_at }: Media): boolean {
  return session_id !== null || deleted_at === null;
}

/** The visitor is told no file name: it might tell what is to come. */
function offered({ storage }: Deps, media: Media, { session_id }: Reader): OfferedFile {
  const name = session_id === null ? media.nome : mediaKey(media);
  return {
    size: media.size,
    etag: `"${media.sha256}"`,
    headers: {
      'Content-Type': servedType(media.content_type),
      'Content-Disposition': disposition('inline', name),
      'Content-Security-Policy':
        media.content_type === 'application/pdf' ? FILE_POLICY.pdf : FILE_POLICY.other,
      'Cache-Control': 'private, no-store',
      Vary: 'Cookie',
    },
    open: () => storage.open(mediaKey(media)),
  };
}

/** What the product shows and plays. Whatever else a row may say, a browser is told to make nothing of it. */
const SERVED = new Set([
  'video/mp4',
  'image/jpeg',
  'image/png',
  'application/pdf',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/wav',
  'audio/flac',
]);

const servedType = (stored: string) => (SERVED.has(stored) ? stored : 'application/octet-stream');

function holdFor(reader: Reader, context: RequestContext, { connections, transfers }: Held): Hold {
  if (reader.session_id === null)
    return (cut) => transfers.hold(cut, () => isStillSpectator(context, reader.spectator));
  return (cut) => {
    const letGo = [connections.hold(reader.session_id, cut), transfers.hold(cut)];
    return () => letGo.forEach((each) => each());
  };
}
